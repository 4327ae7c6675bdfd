"""Compiled modules (.pyc) of Python's own library and of the installed packages.

A confined kernel cannot write them. Where an installer has left them out, as uv and Docker images do, each kernel would
compile the modules that it imports, during the time limit of the student's cell: importing torch's optimizers takes 7
instead of 2 seconds.
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
def ensure_compiled() -> str:
    """Compile all packages that are not compiled. Return PYTHONPYCACHEPREFIX for the compiled modules, or "".

    If all are compiled beside their sources, this takes some milliseconds. The first compilation takes a minute or two;
    after one for a prefix, each later run checks all files again.
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
    # With a prefix, Python looks below it alone, so packages that are compiled already are compiled there once more.
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
    """Return the packages on Python's path, its own library among them, that have no compiled modules."""
    return [path for path in _packages() if not _is_compiled(path)]


def _packages() -> list[Path]:
    """Return the folders of Python's own library and of the installed packages that have an `__init__.py`."""
    folders = [Path(os.__file__).parent]
    for entry in map(Path, sys.path):
        if entry.name in ("site-packages", "dist-packages") and entry.is_dir():
            folders += [path for path in sorted(entry.iterdir()) if (path / "__init__.py").is_file()]
    return folders


def _is_compiled(package: Path) -> bool:
    """Return whether one module of a package is compiled: installers compile all of its modules, or none."""
    source = package / "__init__.py"
    source = source if source.is_file() else package / "os.py"  # Python's own library is not a package
    return os.path.exists(importlib.util.cache_from_source(str(source)))


def _compile(paths: list[str], folder: str) -> None:
    """Compile in parallel, or with one worker if that fails. Files that are not valid Python are skipped."""
    for workers in ("0", "1"):  # several workers need /dev/shm
        completed = subprocess.run(
            [sys.executable, "-P", "-m", "compileall", "-q", "-q", "-j", workers, *paths],
            env={"PATH": os.environ.get("PATH", os.defpath)}
            | ({"PYTHONPYCACHEPREFIX": folder} if folder else {}),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
        )
        if b"Traceback" not in completed.stderr:
            return
