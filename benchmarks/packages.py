"""What the packages cost that students can import while their notebooks are graded.

    .venv/bin/python benchmarks/packages.py

Prints a Markdown table: for each package of the dependency group `answers` in pyproject.toml its megabytes on the disk,
the processor seconds of its import in a fresh interpreter (the least of three), and seconds and MiB of the same import
in a student kernel of the first week, in its sandbox. Below it are the megabytes that nothing but this group brings.
"""

import re
import subprocess
import sys
from collections.abc import Iterable
from contextlib import closing
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from coursekit.authoring.lesson.packages import module_of, packages
from coursekit.course.config import Course, open_course
from coursekit.engine.coordinator.grade import warm_modules
from coursekit.engine.coordinator.kernel_client import StudentKernel
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.shared.outputs import OutputBudget

ROOT = Path(__file__).resolve().parent.parent
# What an answer imports, where the package's own module loads nothing yet.
IMPORTED = {
    "pillow": "PIL.Image",
    "scikit-learn": "sklearn.manifold",
    "scipy": "scipy.stats",
    "tqdm": "tqdm.auto",
}
TIMED = "import time; began = time.process_time(); import {}; print(time.process_time() - began)"


def megabytes(package: Distribution) -> float:
    """Of the package's files."""
    paths = (Path(str(file.locate())) for file in package.files or ())
    return sum(path.stat().st_size for path in paths if path.is_file()) / 1e6


def needed(names: Iterable[str], without: frozenset[str] = frozenset()) -> set[str]:
    """Names of what is installed of these packages and of all that they need; `without` are not followed."""
    found: set[str] = set()
    waiting = [Requirement(name) for name in names]
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        if name in found or name in without or wanted.marker and not wanted.marker.evaluate({"extra": ""}):
            continue
        try:
            requires = distribution(name).requires or []
        except PackageNotFoundError:
            continue
        found.add(name)
        waiting += map(Requirement, requires)
    return found


def in_interpreter(module: str) -> float:
    """Processor seconds of its import."""
    program = [sys.executable, "-c", TIMED.format(module)]
    return min(float(subprocess.run(program, capture_output=True, check=True).stdout) for _ in range(3))


def in_kernel(course: Course, servers: Servers, module: str) -> tuple[float, float]:
    """(seconds, MiB) of its import in a student kernel.

    Raises:
        SystemExit: it cannot be imported there.
    """
    with closing(StudentKernel(servers, course.limits)) as kernel:
        kernel.execute("0", 20, OutputBudget(64))
        before = kernel.memory_mb()
        done = kernel.execute(f"__import__('importlib').import_module({module!r})", 20, OutputBudget(64))
        if done.ended != "ok":
            sys.exit(f"{module} cannot be imported in a student kernel: {done.outputs}")
        return done.seconds, kernel.memory_mb() - before


def main() -> None:
    course = open_course(ROOT)
    names = packages(course)
    lock = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    locked = {canonicalize_name(name) for name in re.findall(r"^([\w.-]+)==", lock, re.MULTILINE)}
    only_here = needed(names)
    others = {name for name in locked if name not in only_here}
    only_here -= needed(others)
    print("| package | imported as | MB | seconds | in a kernel: seconds | MiB |")
    print("| --- | --- | --- | --- | --- | --- |")
    with Servers(modules=warm_modules(course.master(course.weeks[0]), course.limits)) as servers:
        for name in names:
            module = IMPORTED.get(name, module_of(name))
            seconds, memory = in_kernel(course, servers, module)
            mark = "" if name in only_here else " \\*"
            print(
                f"| {name}{mark} | `{module}` | {megabytes(distribution(name)):.1f} | {in_interpreter(module):.2f} | "
                f"{seconds:.2f} | {memory:.0f} |",
                flush=True,
            )
    size = sum(megabytes(distribution(name)) for name in only_here)
    print(
        f"\n\\* needed by others, too. Nothing but this group brings {', '.join(sorted(only_here))}: {size:.0f} MB."
    )


if __name__ == "__main__":
    main()
