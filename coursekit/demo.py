"""The demo: the whole pipeline on a made class, held against what each submission must get."""

import json
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass

from coursekit.classroom import grade_class
from coursekit.course import Course, Week, open_course
from coursekit.errors import CourseError
from coursekit.export import export_csv
from coursekit.feedback import write_feedback
from coursekit.files import write_atomically
from coursekit.gradebook import record
from coursekit.release import release
from coursekit.result import Result


@dataclass
class DemoReport:
    """What the demo did, and where it differs from demo/expected.json."""

    course: Course  # the made course folder, demo/class
    week: Week
    results: dict[str, Result]
    problems: list[str]
    seconds: float


def run_demo(
    course: Course,
    *,
    workers: int | None = None,
    unsafe: bool = False,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> DemoReport:
    """Make the class anew in demo/class, release, grade, record, write pages and marks, and compare.

    Raises:
        CourseError: any station's own reason.
    """
    started = time.monotonic()
    expected = json.loads((course.root / "demo" / "expected.json").read_text(encoding="utf-8"))
    made = make_folder(course)
    week = made.weeks[0]
    release(made, week)
    run = grade_class(made, week, workers=workers, unsafe=unsafe, progress=progress)
    if run.failed:
        raise CourseError("Some submissions got no result: " + "; ".join(map(str, run.failed.items())))
    record(made, week, run.results.values())
    for student in run.results:
        write_feedback(made, week, student)
    write_atomically(made.root / "marks.csv", export_csv(made, week).encode())
    return DemoReport(made, week, run.results, compare(run.results, expected), time.monotonic() - started)


def make_folder(course: Course) -> Course:
    """A course folder of its own for the made class: demo/class."""
    import runpy

    root = course.root / "demo" / "class"
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    for name in ("course.toml", "nbgrader_config.py"):
        shutil.copy(course.root / name, root / name)
    shutil.copytree(course.root / "source", root / "source")
    make_class = runpy.run_path(str(course.root / "demo" / "make_class.py"))["make_class"]
    make_class(course, root / "submitted")
    return open_course(root)


def compare(results: dict[str, Result], expected: dict[str, dict]) -> list[str]:
    """Every difference between what was given and what must be given."""
    problems = [f"{student} has no result" for student in sorted(set(expected) - set(results))]
    for student, result in results.items():
        row = expected.get(student)
        if row is None:
            problems.append(f"{student} is not in demo/expected.json")
            continue
        got = {
            "score": result.score,
            "max_score": result.max_score,
            "status": result.status,
            "repairs": sorted({repair.kind for repair in result.repairs}),
        }
        for key, value in got.items():
            if value != row[key]:
                problems.append(f"{student}: {key} is {value}, must be {row[key]} ({row['why']})")
    return problems
