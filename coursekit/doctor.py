"""What this machine can and cannot do, for `course doctor`. Each line was tried, not looked up."""

import importlib.metadata
import importlib.util
import os
import platform
import time
from dataclasses import dataclass
from pathlib import Path

from coursekit.course.config import open_course
from coursekit.engine.coordinator.kernel_client import StudentKernel
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.limits import Limits
from coursekit.engine.shared.outputs import OutputBudget
from coursekit.engine.supervisor import sandbox
from coursekit.engine.supervisor.sandbox import landlock
from coursekit.gradebook import database

PACKAGES = ("nbgrader", "jupyterlab", "ipykernel", "numpy")
EXTRAS = {
    "psycopg": "a gradebook on PostgreSQL: pip install 'coursekit[postgres]'",
    "distributed": "`course grade --cluster`: pip install 'coursekit[cluster]'",
    "misaki": "`course narrate` with Kokoro's voice: pip install 'coursekit[narrate]'",
    "faster-whisper": "narration compared with its text: pip install 'coursekit[listen]'",
}


@dataclass(frozen=True)
class Line:
    """One thing that was tried."""

    section: str
    what: str
    works: bool | None  # None: not here, and it need not be
    detail: str = ""


def examine(root: Path) -> list[Line]:
    """Everything to say about this machine and this folder, section by section."""
    try:
        limits = open_course(root).limits
    except CourseError:  # it is reported with the folder
        limits = Limits()
    sections = {
        "This machine": _machine(),
        "Packages": _packages(limits),
        "This folder": _folder(root),
        "What student code cannot do here (SECURITY.md)": sandbox.describe(),
        "A student kernel": [_fork(limits, unsafe=bool(sandbox.missing()))],
        "Needed only for some tasks": _extras(),
    }
    return [Line(section, *line) for section, lines in sections.items() for line in lines]


def _machine():
    system = f"{platform.system()} {platform.release()}"
    yield f"Python {platform.python_version()} on {system}", os.name == "posix", ""
    version = landlock.abi()
    yield f"Landlock version {version}" if version else "Landlock", version > 0, ""
    yield f"{os.cpu_count()} cores: by default, one submission more than that is graded at a time", True, ""
    if os.getuid() == 0:
        yield (
            "You are root",
            None,
            "The sandbox drops root's rights, but one limit does not hold for root: see below.",
        )
    else:
        yield "You are an ordinary user", True, ""


def _packages(limits: Limits):
    of_course = [module.partition(".")[0] for module in limits.modules]
    for package in dict.fromkeys((*PACKAGES, *of_course)):
        try:
            yield f"{package} {importlib.metadata.version(package)}", True, ""
        except importlib.metadata.PackageNotFoundError:
            here = importlib.util.find_spec(package) is not None  # of another name, or Python's own
            wrong = (
                " Or is its name in course.toml, [kernels] modules, wrong?" if package in of_course else ""
            )
            yield package, here, "" if here else f"Not installed: pip install {package}.{wrong}"


def _folder(root: Path):
    try:
        course = open_course(root)
    except CourseError as error:
        yield "This is a course folder", False, str(error)
        return
    yield f"This is a course folder: {course.title}", True, ""
    try:
        yield database.trial(course), True, ""
    except CourseError as error:
        yield "The gradebook can be written", False, str(error)


def _extras():
    for package, use in EXTRAS.items():
        try:
            yield f"{package} {importlib.metadata.version(package)}", True, ""
        except importlib.metadata.PackageNotFoundError:
            yield package, None, f"Not installed. Needed only for {use}"


def _fork(limits: Limits, unsafe: bool) -> tuple[str, bool, str]:
    """Start the servers and one kernel, and have it add."""
    try:
        started = time.monotonic()
        with Servers(unsafe, limits.modules) as servers:
            servers.wait()
            warm = time.monotonic()
            kernel = StudentKernel(servers, limits)
            try:
                done = kernel.execute("print(1 + 1)", 20, OutputBudget(64))
            finally:
                kernel.close()
            ended = time.monotonic()
        works = bool(done.outputs) and done.outputs[0].get("text") == "2\n"
        return (
            f"A kernel starts and computes: servers {warm - started:.1f} s once, a kernel {ended - warm:.2f} s",
            works,
            "" if works else f"It printed {done.outputs}.",
        )
    except CourseError as error:
        return "A kernel starts and computes", False, str(error)
