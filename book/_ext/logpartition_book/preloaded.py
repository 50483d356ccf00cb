"""Chapters begin sooner: a plugin of pytest, by which the kernels of nbval are forks of a process
that has imported what is slow to import and several of them use. Matplotlib is not among it, since
it asks at its import which kernel it is in."""

import os
import sys
from multiprocessing import get_context
from unittest.mock import patch

from jupyter_client.provisioning import local_provisioner
from nbval import kernel

from .files import ROOT

SHARED = ["ipykernel.kernelapp", "torch", "scipy.optimize", "logpartition.proof"]


class Forked:
    """A forked kernel, with what is asked of a `Popen`."""

    stdin = stdout = stderr = None

    def __init__(self, process):
        self.process, self.pid = process, process.pid

    def poll(self):
        return self.process.exitcode

    def wait(self):
        self.process.join()
        return self.poll()

    def send_signal(self, number):
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self):
        self.process.terminate()

    def kill(self):
        self.process.kill()


def fork(command, env=None, cwd=None, **_):
    """A kernel for the command that would start one."""
    context = get_context("forkserver")
    context.set_forkserver_preload(SHARED)
    ready, begun = context.Pipe(duplex=False)
    process = context.Process(target=begin, args=(begun, command, env, cwd), daemon=True)
    process.start()
    ready.recv()  # a signal to its group would be one to this process before
    return Forked(process)


def begin(begun, command, env, cwd):
    from ipykernel.kernelapp import launch_new_instance

    os.setsid()
    begun.send(None)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    tests = str(ROOT / "tests")
    sys.path[:] = [path for path in sys.path if not path.startswith(tests)]
    launch_new_instance(argv=command[command.index("ipykernel_launcher") + 1 :])


def pytest_configure():
    start = kernel.start_new_kernel

    def forked(*given, **named):
        with patch.object(local_provisioner, "launch_kernel", fork):
            return start(*given, **named)

    kernel.start_new_kernel = forked
