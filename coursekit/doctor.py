"""What this machine can and cannot do, for `course doctor`. Each line was tried, not looked up."""

import importlib.metadata
import importlib.util
import os
import platform
import time
from dataclasses import dataclass
from pathlib import Path

from coursekit.course.config import Course, open_course
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
    found = [Line("This machine", *line) for line in _machine()]
    found += [Line("Packages", *line) for line in _packages(_limits(root))]
    found += [Line("This folder", *line) for line in _folder(root)]
    found += [Line("What student code cannot do here (SECURITY.md)", *line) for line in sandbox.describe()]
    found.append(Line("A student kernel", *_fork(_limits(root), unsafe=bool(sandbox.missing()))))
    return found + [Line("Needed only for some tasks", *line) for line in _extras()]


def _machine():
    system = f"{platform.system()} {platform.release()}"
    yield f"Python {platform.python_version()} on {system}", os.name == "posix", ""
    version = landlock.abi()
    yield f"Landlock version {version}" if version else "Landlock", version > 0, ""
    yield f"{os.cpu_count()} cores: by default, one submission more than that is graded at a time", True, ""
    root = os.getuid() == 0
    detail = (
        "The sandbox drops root's rights, but one limit does not hold for root: see below." if root else ""
    )
    yield ("You are root" if root else "You are an ordinary user"), None if root else True, detail


def _packages(limits: Limits):
    of_course = [module.partition(".")[0] for module in limits.modules]
    for package in dict.fromkeys((*PACKAGES, *of_course)):
        try:
            yield f"{package} {importlib.metadata.version(package)}", True, ""
        except importlib.metadata.PackageNotFoundError:
            here = importlib.util.find_spec(package) is not None  # of another name, or Python's own
            named = (
                " Or is its name in course.toml, [kernels] modules, wrong?" if package in of_course else ""
            )
            yield package, here, "" if here else f"Not installed: pip install {package}.{named}"


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


def _limits(root: Path) -> Limits:
    try:
        return open_course(root).limits
    except CourseError:  # it was told above
        return Limits()


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
