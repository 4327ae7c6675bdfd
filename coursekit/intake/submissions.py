"""The fork servers, started while the command still imports the rest: they are what the first submission waits for.

What is imported here is little, for the same reason.
"""

import json
from contextlib import suppress

from coursekit.course.config import Course, Week
from coursekit.course.student_id import problem
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.coordinator.warm import modules_of


def students(course: Course, week: Week) -> list[str]:
    """Who handed in something for this week, sorted."""
    folder = course.root / "submitted"
    if not folder.is_dir():
        return []
    return sorted(
        entry.name
        for entry in folder.iterdir()
        if not entry.name.startswith(".") and not entry.is_symlink() and (entry / week.name).is_dir()
    )


def strays(course: Course) -> list[str]:
    """What nobody grades in submitted/, sorted: files beside students' folders, "student/what" beside weeks, and weeks
    in hidden folders."""
    known, found = {week.name for week in course.weeks}, []
    for entry in (course.root / "submitted").glob("*"):
        with suppress(OSError):  # a folder that cannot be read is told of where its week is graded
            if entry.name.startswith("."):
                found += [f"{entry.name}/{name}" for name in known if (entry / name).is_dir()]
            elif entry.is_symlink() or not entry.is_dir():
                found += [entry.name] if entry.name != "README.md" else []
            else:
                inner = [path.name for path in entry.iterdir() if path.name not in known]
                found += [f"{entry.name}/{name}" for name in inner if not name.startswith(".")]
    return sorted(found)


def graded(course: Course, week: Week) -> list[str]:
    """Who has a result of this week, sorted."""
    return sorted(path.parent.parent.name for path in course.results.glob(f"*/{week.name}/result.json"))


def start_early(
    course: Course, weeks: list[Week], only: list[str] | None, force: bool, unsafe: bool
) -> Servers | None:
    """Servers that are on their way, for the first of these weeks that somebody handed in.

    None where everybody has a result: whether each still holds is not to be seen so quickly, and where all do, nothing
    is graded.
    """
    handed_in = {week.name: students(course, week) for week in weeks}
    first = next((week for week in weeks if handed_in[week.name]), None)
    if first is None:
        return None
    to_grade = set(handed_in[first.name]).intersection(only or handed_in[first.name])
    if not any(
        not problem(student) and (force or not (course.autograded(student, first) / "result.json").exists())
        for student in to_grade
    ):
        return None
    servers = Servers(unsafe, _modules(course, first))
    servers.start()
    return servers


def _modules(course: Course, week: Week) -> list[str]:
    """As `warm_modules` of the master, which takes longer to read and says what is wrong with a broken notebook."""
    try:
        cells = json.loads(course.notebook(week))["cells"]
        return modules_of(
            (
                ("".join(cell["source"]), cell["metadata"].get("tags", []))
                for cell in cells
                if cell["cell_type"] == "code"
            ),
            course.limits,
        )
    except (ValueError, LookupError, TypeError, AttributeError):
        return []
