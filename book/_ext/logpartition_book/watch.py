"""What the code of a chapter may open while it runs: Python, the packages, the library, and what
the system says of itself. The kernel that `run` starts watches from before the first cell on.
"""

import os
import sys
import sysconfig

from .files import ROOT

HOMES = {*sysconfig.get_paths().values(), sys.prefix, sys.base_prefix, ROOT / "lib"}
HOMES = tuple(f"{os.path.realpath(path)}{os.sep}" for path in (*HOMES, "/proc", "/sys", "/dev"))
EARLIER = str(ROOT / "lib" / "logpartition" / "proof" / "earlier.py")
SHUT = set(
    "socket.connect socket.bind socket.getaddrinfo subprocess.Popen os.system os.exec os.spawn"
    " os.posix_spawn os.fork".split()
)


def begin():
    """Refuse all else from here on, as long as this process lives. PyTorch is imported before: its
    CUDA build asks the system for libraries."""
    import torch  # noqa: F401

    sys.addaudithook(refuse)


def refuse(event, given):
    if event in SHUT:
        raise PermissionError(f"{event}: a chapter depends on its code, the library and the pins")
    if event == "open" and isinstance(given[0], (str, bytes, os.PathLike)):
        path = os.path.realpath(os.fsdecode(given[0]))
        if not (path.startswith(HOMES) or path.endswith(".ipynb") and asked_for_a_result()):
            raise PermissionError(
                f"it opens {path}: a chapter depends on its code, the library and the pins"
            )


def asked_for_a_result():
    """Whether it is `earlier` that opens a chapter: the hashes know the results that it takes."""
    frame = sys._getframe()
    while frame and os.path.realpath(frame.f_code.co_filename) != EARLIER:
        frame = frame.f_back
    return frame is not None
