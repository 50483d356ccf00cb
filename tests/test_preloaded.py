"""The kernels of nbval are forks, and are as those that are started."""

import os
import subprocess
import sys

from nbval import kernel
from nbval.kernel import CURRENT_ENV_KERNEL_NAME, RunningKernel

from logpartition_book import preloaded
from logpartition_book.run import SELDOM

ASKED = """
import gc, os, sys
print(os.environ['PYTHONHASHSEED'], hash('a'), os.getcwd(), gc.get_threshold())
print('torch' in sys.modules, 'matplotlib' in sys.modules, sys.executable)
print([path for path in sys.path if 'tests' in path])
"""


def printed(running):
    said = []

    def hear(message):
        said.append(message["content"].get("text", ""))

    running.kc.execute_interactive(ASKED, output_hook=hear, timeout=60)
    return "".join(said).splitlines()


def test_a_fork_is_a_kernel_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setattr(kernel, "start_new_kernel", kernel.start_new_kernel)
    preloaded.pytest_configure()
    command = [sys.executable, "-c", "print(hash('a'))"]
    settings = {**os.environ, "PYTHONHASHSEED": "0"}
    seeded = subprocess.run(command, env=settings, capture_output=True, text=True).stdout.strip()
    running = RunningKernel(CURRENT_ENV_KERNEL_NAME, cwd=str(tmp_path))
    process = running.km.provisioner.process
    try:
        said = printed(running)
    finally:
        running.stop()
    assert said == [
        f"0 {seeded} {tmp_path} {SELDOM}",
        f"True False {sys.executable}",
        "[]",
    ]
    assert process.poll() is not None
