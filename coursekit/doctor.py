"""What this machine can and cannot do, for `course doctor`. Each line was tried, not looked up."""

import importlib.metadata
import os
import platform
import shutil
import time
from pathlib import Path

from coursekit import sandbox
from coursekit.course import Limits, open_course
from coursekit.errors import CourseError
from coursekit.kernels.client import Servers, StudentKernel
from coursekit.outputs import Room

PACKAGES = ("torch", "numpy", "matplotlib", "seaborn", "nbgrader", "jupyterlab", "ipykernel", "gdown")


def examine(root: Path) -> list[tuple[str, bool, str]]:
    """(what, whether it works, detail) a line."""
    lines = [
        (
            f"Python {platform.python_version()} on {platform.system()} {platform.release()}",
            os.name == "posix",
            "",
        ),
        (f"{os.cpu_count()} cores: so many submissions are graded at a time", True, ""),
    ]
    for package in PACKAGES:
        try:
            lines.append((f"{package} {importlib.metadata.version(package)}", True, ""))
        except importlib.metadata.PackageNotFoundError:
            lines.append((package, False, "Not installed: run `make setup`."))
    try:
        course = open_course(root)
        lines.append((f"This is a course folder: {course.title}", True, ""))
    except CourseError as error:
        lines.append(("This is a course folder", False, str(error)))
    lines += sandbox.describe()
    missing = sandbox.missing()
    lines.append(("Student code can be confined", not missing, " ".join(missing)))
    lines.append(_fork(unsafe=bool(missing)))
    browser = shutil.which("chromium")
    detail = "" if browser else "Only the tests need it: apt-get install chromium."
    lines.append(("Chromium for the tests of the pages", browser is not None, detail))
    return lines


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
