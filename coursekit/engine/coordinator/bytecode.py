"""Compiled modules (.pyc) of everything that a notebook may import.

A kernel cannot write them. Where an installer has left them out, as uv and the images of Docker do, each kernel would
compile what it imports anew, on the student's clock: torch's optimizers take 7 instead of 2 seconds.
"""

import atexit
import functools
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


@functools.cache
def prefix() -> str:
    """Have all packages compiled; "", or the value of PYTHONPYCACHEPREFIX with which Python finds what was compiled.

    Where nothing is missing, this takes some milliseconds; else a minute or two, once on a machine.
    """
    missing = list(map(str, uncompiled()))
    if not missing:
        return ""
    print(
        f"Packages installed without compiled modules: {len(missing)}. They are compiled now, which takes a minute or "
        "two.",
        file=sys.stderr,
    )
    if all(os.access(path, os.W_OK) for path in missing):
        _compile(missing, "")
        return ""
    # Python looks in one place for all: so what has its compiled modules is compiled there, too.
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    try:
        os.makedirs(cache, exist_ok=True)
        writable = os.access(cache, os.W_OK)
    except OSError:
        writable = False
    if writable:
        folder = os.path.join(cache, "coursekit", "pycache")
    else:
        folder = tempfile.mkdtemp(prefix="course-pycache-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    _compile([str(path) for path in _packages()], folder)
    return folder


def uncompiled() -> list[Path]:
    """The packages on Python's path, its own library among them, that have no compiled modules."""
    return [path for path in _packages() if not _is_compiled(path)]


def _packages() -> list[Path]:
    """Python's own library, and each package that is installed: it has all of its modules compiled, or none."""
    found = [Path(os.__file__).parent]
    for entry in map(Path, sys.path):
        if entry.name in ("site-packages", "dist-packages") and entry.is_dir():
            found += [path for path in sorted(entry.iterdir()) if (path / "__init__.py").is_file()]
    return found


def _is_compiled(package: Path) -> bool:
    source = package / "__init__.py"
    source = source if source.is_file() else package / "os.py"  # Python's own library is no package
    return os.path.exists(importlib.util.cache_from_source(str(source)))


def _compile(paths: list[str], folder: str) -> None:
    """With all cores. What is no Python, as templates are, is passed over."""
    for workers in ("0", "1"):  # with several, it needs /dev/shm
        done = subprocess.run(
            [sys.executable, "-P", "-m", "compileall", "-q", "-q", "-j", workers, *paths],
            env={"PATH": os.environ.get("PATH", os.defpath)}
            | ({"PYTHONPYCACHEPREFIX": folder} if folder else {}),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
        )
        if b"Traceback" not in done.stderr:
            return
