"""The demo: the whole pipeline on a made class, compared with what each submission must get."""

import json
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from coursekit.authoring.release import release
from coursekit.course.config import Course, Week, open_course
from coursekit.deliver.export import export_csv
from coursekit.deliver.feedback.page import write_feedback
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.result import Result
from coursekit.files import write_atomically
from coursekit.gradebook.marks import marks
from coursekit.gradebook.record import record
from coursekit.grading.place import Here
from coursekit.grading.run import grade_class


@dataclass
class DemoReport:
    """What the demo did, and where it differs from demo/expected.json."""

    course: Course  # the made course folder, demo/class
    weeks: list[tuple[Week, Mapping[str, Result]]]  # each week with its results by student
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
    made, expected = make_folder(course)
    weeks, problems = [], []
    for week in made.weeks:
        release(made, week)
        run = grade_class(made, week, place=Here(workers), unsafe=unsafe, progress=progress)
        if run.failed:
            raise CourseError("Some submissions got no result: " + "; ".join(map(str, run.failed.items())))
        record(made, week, run.results.values())
        rows = {row.student: row for row in marks(made, week)}
        for student in run.results:
            write_feedback(made, week, student, rows.get(student))
        write_atomically(made.root / f"marks_{week.name}.csv", export_csv(made, week).encode())
        weeks.append((week, run.results))
        found = compare(run.results, expected[week.name])
        problems += [f"{week.name}, {problem}" for problem in found]
    return DemoReport(made, weeks, problems, time.monotonic() - started)


def make_folder(course: Course) -> tuple[Course, dict[str, dict[str, dict]]]:
    """A course folder of its own for the made class, demo/class.

    Gives the folder, and what is expected: {week: {student: row of demo/expected.json}}. That file has the first
    week's rows; what a mixture of the bank's answers must get in the other weeks, the bank says.
    """
    import runpy

    if not (course.root / "demo" / "make_class.py").is_file():
        raise CourseError(
            "There is no demo/ here. The demo belongs to the course that this tool was made with."
        )
    root = course.root / "demo" / "class"
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    for name in ("course.toml", "nbgrader_config.py"):
        shutil.copy(course.root / name, root / name)
    with open(root / "nbgrader_config.py", "a", encoding="utf-8") as file:
        file.write(
            '\n# The made class has a gradebook of its own.\nc.CourseDirectory.db_url = "sqlite:///gradebook.db"\n'
        )
    shutil.copytree(course.root / "source", root / "source")
    demo = runpy.run_path(str(course.root / "demo" / "make_class.py"))
    demo["make_class"](course, root / "submitted")
    expected = {course.weeks[0].name: json.loads((course.root / "demo" / "expected.json").read_text("utf-8"))}
    expected |= {week.name: demo["expected_of_mixed"](course, week) for week in course.weeks[1:]}
    return open_course(root), expected


def compare(results: Mapping[str, Result], expected: dict[str, dict]) -> list[str]:
    """Every difference between what was given and what must be given."""
    problems = [f"{student} has no result" for student in sorted(set(expected) - set(results))]
    for student, result in results.items():
        row = expected.get(student)
        if row is None:
            problems.append(f"{student} has a result, but none is expected")
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
