"""What this machine can and cannot do, for `course doctor`. Each line was tried, not looked up."""

import importlib.metadata
import os
import platform
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from coursekit import database, sandbox
from coursekit.course import Course, Limits, open_course
from coursekit.errors import CourseError
from coursekit.kernels.client import Servers, StudentKernel
from coursekit.outputs import Room
from coursekit.sandbox import landlock

PACKAGES = ("torch", "numpy", "matplotlib", "seaborn", "nbgrader", "jupyterlab", "ipykernel", "gdown")
EXTRAS = {
    "psycopg": "a gradebook on PostgreSQL: .venv/bin/pip install -r requirements-postgres.txt",
    "distributed": "`course grade --cluster`: .venv/bin/pip install -r requirements-cluster.txt",
    "misaki": "`course narrate` with Kokoro's voice: .venv/bin/pip install -r requirements-narrate.txt",
    "faster-whisper": "narration compared with its text: .venv/bin/pip install -r requirements-listen.txt",
}


@dataclass(frozen=True)
class Line:
    """One thing that was tried."""

    section: str
    what: str
    works: bool | None  # None: not here, and nothing is wrong with that
    detail: str = ""


def examine(root: Path) -> list[Line]:
    """All that is to be said about this machine and this folder, section by section."""
    found = [Line("This machine", *line) for line in _machine()]
    found += [Line("Packages", *line) for line in _packages()]
    found += [Line("This folder", *line) for line in _folder(root)]
    found += [Line("What student code cannot do here (SECURITY.md)", *line) for line in sandbox.describe()]
    found.append(Line("A student kernel", *_fork(unsafe=bool(sandbox.missing()))))
    return found + [Line("Only for some", *line) for line in _extras()]


def _machine():
    system = f"{platform.system()} {platform.release()}"
    yield f"Python {platform.python_version()} on {system}", os.name == "posix", ""
    version = landlock.abi()
    yield f"Landlock version {version}" if version else "Landlock", version > 0, ""
    yield f"{os.cpu_count()} cores: so many submissions and one more are graded at a time", True, ""
    root = os.getuid() == 0
    detail = (
        "The sandbox drops root's rights, but one limit does not hold for root: see below." if root else ""
    )
    yield ("You are root" if root else "You are an ordinary user"), None if root else True, detail


def _packages():
    for package in PACKAGES:
        try:
            yield f"{package} {importlib.metadata.version(package)}", True, ""
        except importlib.metadata.PackageNotFoundError:
            yield package, False, "Not installed: run `make setup`."


def _folder(root: Path):
    try:
        course = open_course(root)
    except CourseError as error:
        yield "This is a course folder", False, str(error)
        return
    yield f"This is a course folder: {course.title}", True, ""
    yield _gradebook(course)


def _gradebook(course: Course) -> tuple[str, bool, str]:
    try:
        return database.trial(course), True, ""
    except CourseError as error:
        return "The gradebook can be written", False, str(error)


def _extras():
    for package, use in EXTRAS.items():
        try:
            yield f"{package} {importlib.metadata.version(package)}", True, ""
        except importlib.metadata.PackageNotFoundError:
            yield package, None, f"Not installed. Only for {use}"
    browser = shutil.which("chromium")
    detail = "" if browser else "Not installed. Only for the tests of the pages: apt-get install chromium"
    yield "chromium", True if browser else None, detail


def _fork(unsafe: bool) -> tuple[str, bool, str]:
    """Start the servers and one kernel, and have it add."""
    try:
        started = time.monotonic()
        with Servers(unsafe) as servers:
            servers.wait()
            warm = time.monotonic()
            kernel = StudentKernel(servers, Limits())
            try:
                done = kernel.execute("print(1 + 1)", 20, Room(64))
            finally:
                kernel.close()
            ended = time.monotonic()
        works = bool(done.outputs) and done.outputs[0].get("text") == "2\n"
        return (
            f"A kernel starts and computes: servers {warm - started:.1f} s once, a kernel {ended - warm:.2f} s",
            works,
            "" if works else f"It gave {done.outputs}.",
        )
    except CourseError as error:
        return "A kernel starts and computes", False, str(error)
