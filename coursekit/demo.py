"""The demo: the whole pipeline on an invented class, compared with the result that each submission must get."""

import json
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass

from coursekit.authoring.release import release
from coursekit.course.config import Course, Week, open_course
from coursekit.deliver.export import export_csv
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.result import Result
from coursekit.files import write_atomically
from coursekit.grading.place import Here
from coursekit.pipeline import feedback_week, grade_week
from coursekit.progress import Progress, no_progress


@dataclass
class DemoReport:
    """The results of the demo, and their differences from the expected ones."""

    course: Course  # the demo's course folder, demo/class
    weeks: list[tuple[Week, Mapping[str, Result]]]  # each week with its results by student
    problems: list[str]  # a sentence for each difference, and for each page that is missing or incomplete
    seconds: float


def run_demo(
    course: Course,
    *,
    workers: int | None = None,
    unsafe: bool = False,
    progress: Progress = no_progress,
) -> DemoReport:
    """Make the class anew in demo/class, release, grade, record, write pages and marks. Return the report.

    Raises:
        CourseError: a step failed, or a submission could not be graded or recorded.
    """
    started = time.monotonic()
    demo_course, expected = make_folder(course)
    weeks, problems = [], []
    for week in demo_course.weeks:
        release(demo_course, week)
        graded = grade_week(demo_course, week, place=Here(workers), unsafe=unsafe, progress=progress)
        run = graded.run
        if run.failed or graded.unrecorded:
            reasons = [f"{student}: {reason}" for student, reason in run.failed.items()]
            raise CourseError(
                "The demo class could not be graded. " + " ".join(reasons + [graded.unrecorded])
            )
        pages = feedback_week(demo_course, week)
        problems += [f"{week.name}, no page for {student}: {why}" for student, why in pages.failed.items()]
        if pages.undiagnosed:
            problems.append(f"{week.name}, no probable causes: {pages.undiagnosed}")
        write_atomically(demo_course.root / f"marks_{week.name}.csv", export_csv(demo_course, week).encode())
        weeks.append((week, run.results))
        differences = compare(run.results, expected[week.name])
        problems += [f"{week.name}, {problem}" for problem in differences]
    seconds = time.monotonic() - started
    return DemoReport(course=demo_course, weeks=weeks, problems=problems, seconds=seconds)


def make_folder(course: Course) -> tuple[Course, dict[str, dict[str, dict]]]:
    """Make a course folder for the invented class, demo/class, and replace an earlier one.

    Return it, and the expected results: {week: {student: row}}. The first week's rows are in demo/expected.json; in
    the other weeks, submissions are mixtures of answers of the answer bank, and the rows follow from the bank.

    Raises:
        CourseError: the course has no demo/make_class.py.
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
    for name in ("source", "answers"):
        shutil.copytree(course.root / name, root / name)
    make_class_module = runpy.run_path(str(course.root / "demo" / "make_class.py"))
    make_class_module["make_class"](course, root / "submitted")
    expected = {course.weeks[0].name: json.loads((course.root / "demo" / "expected.json").read_text("utf-8"))}
    expected |= {week.name: make_class_module["expected_of_mixed"](course, week) for week in course.weeks[1:]}
    return open_course(root), expected


def compare(results: Mapping[str, Result], expected: dict[str, dict]) -> list[str]:
    """Return a sentence for each difference between the results and the expected rows, {student: row}."""
    problems = [f"{student} has no result" for student in sorted(set(expected) - set(results))]
    for student, result in results.items():
        row = expected.get(student)
        if row is None:
            problems.append(f"{student} has a result, but none is expected")
            continue
        actual = {
            "score": result.score,
            "max_score": result.max_score,
            "status": result.status,
            "repairs": sorted({repair.kind for repair in result.repairs}),
        }
        for key, value in actual.items():
            if value != row[key]:
                problems.append(f"{student}: {key} is {value}, must be {row[key]} ({row['why']})")
    return problems
