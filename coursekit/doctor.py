"""Report what this machine can and cannot do, for `course doctor`. Most lines were tried, not looked up."""

import importlib.metadata
import importlib.util
import os
import platform
import sys
import time
from contextlib import suppress
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

# The version on Google Colab since 25 August 2026: issue 6081 of googlecolab/colabtools.
COLAB_PYTHON = (3, 13)
PACKAGES = ("nbgrader", "jupyterlab", "ipykernel", "numpy")
EXTRAS = {
    "psycopg": "a gradebook on PostgreSQL: pip install 'coursekit[postgres]'",
    "distributed": "`course grade --cluster`: pip install 'coursekit[cluster]'",
    "misaki": "`course narrate` with Kokoro's voice: pip install 'coursekit[narrate]'",
    "faster-whisper": "narration compared with its text: pip install 'coursekit[listen]'",
}


@dataclass(frozen=True)
class Line:
    """One line of the report."""

    section: str
    what: str
    works: bool | None  # None: a remark, or something optional is missing
    detail: str = ""


def older_python(here: tuple[int, int] = sys.version_info[:2]) -> str:
    """Return a sentence if this Python is older than the students' on Colab; "" if it is not."""
    if here >= COLAB_PYTHON:
        return ""
    return (
        f"Python {_in_words(here)} is older than Colab's {_in_words(COLAB_PYTHON)}: answers with newer syntax are "
        f"flagged, not tested. Python {_in_words(COLAB_PYTHON)} would read them."
    )


def _in_words(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))


def examine(root: Path) -> list[Line]:
    """Return the report on this machine and this folder, section by section."""
    try:
        limits = open_course(root).limits
    except CourseError:  # `_folder` reports it
        limits = Limits()
    sections = {
        "This machine": _machine(),
        "Packages": _packages(limits),
        "This folder": _folder(root),
        "What student code cannot do here (SECURITY.md)": sandbox.describe(),
        "A student kernel": [_try_kernel(limits, unsafe=bool(sandbox.missing()))],
        "Needed only for some tasks": _extras(),
    }
    return [Line(section, *line) for section, lines in sections.items() for line in lines]


def _machine():
    system = f"{platform.system()} {platform.release()}"
    yield f"Python {platform.python_version()} on {system}", os.name == "posix", ""
    if sentence := older_python():
        yield "Code as students write it on Colab", None, sentence
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
    course_packages = [module.partition(".")[0] for module in limits.modules]
    for package in dict.fromkeys((*PACKAGES, *course_packages)):
        if version := _version(package):
            yield f"{package} {version}", True, ""
        else:
            # It may be in a package of another name, or Python's own.
            importable = importlib.util.find_spec(package) is not None
            hint = (
                " Or is its name in course.toml, [kernels] modules, wrong?"
                if package in course_packages
                else ""
            )
            yield package, importable, "" if importable else f"Not installed: pip install {package}.{hint}"


def _folder(root: Path):
    try:
        course = open_course(root)
    except CourseError as error:
        yield "This is a course folder", False, str(error)
        return
    yield f"This is a course folder: {course.title}", True, ""
    try:
        yield database.check_writable(course), True, ""
    except CourseError as error:
        yield "The gradebook can be written", False, str(error)


def _extras():
    for package, use in EXTRAS.items():
        if version := _version(package):
            yield f"{package} {version}", True, ""
        else:
            yield package, None, f"Not installed. Needed only for {use}"


def _version(package: str) -> str:
    """Return the installed version; "" if the package is not installed."""
    with suppress(importlib.metadata.PackageNotFoundError):
        return importlib.metadata.version(package)
    return ""


def _try_kernel(limits: Limits, unsafe: bool) -> tuple[str, bool, str]:
    """Start the servers and one kernel, and let it add. Return the line's text, whether it works, and a detail."""
    try:
        started = time.monotonic()
        with Servers(unsafe, limits.modules) as servers:
            servers.wait()
            warm = time.monotonic()
            kernel = StudentKernel(servers, limits)
            try:
                addition = kernel.execute("print(1 + 1)", 20, OutputBudget(64))
            finally:
                kernel.close()
            ended = time.monotonic()
        works = bool(addition.outputs) and addition.outputs[0].get("text") == "2\n"
        return (
            f"A kernel starts and computes: servers {warm - started:.1f} s once, a kernel {ended - warm:.2f} s",
            works,
            "" if works else f"It printed {addition.outputs}.",
        )
    except CourseError as error:
        return "A kernel starts and computes", False, str(error)
