"""Start the fork servers while the command still imports other modules, since the first submission waits for them.

For the same reason, this module imports little.
"""

import json

from coursekit.course.config import Course, Week
from coursekit.course.student_id import problem
from coursekit.engine.coordinator.servers import LOG_NAME, Servers
from coursekit.engine.coordinator.warm_modules import modules_to_import
from coursekit.intake.submissions import students


def start_servers(
    course: Course, weeks: list[Week], only: list[str] | None, force: bool, unsafe: bool
) -> Servers | None:
    """Start the fork servers for the first of these weeks that has a submission; return them without waiting for them.

    Return None if there is no submission, or if each has a result: whether all of these are current, so that nothing
    will be graded, would take too long to find out here.
    """
    for week in weeks:
        if handed_in := students(course, week):
            break
    else:
        return None
    for student in set(handed_in).intersection(only or handed_in):
        if problem(student):
            continue
        if force or not (course.autograded(student, week) / "result.json").exists():
            servers = Servers(unsafe, _modules(course, week), log=course.root / LOG_NAME)
            servers.start()
            return servers
    return None


def _modules(course: Course, week: Week) -> list[str]:
    """Return the modules that the servers import for a week, without a master, which takes longer; [] if broken."""
    try:
        cells = json.loads(course.notebook(week))["cells"]
        code = [cell for cell in cells if cell["cell_type"] == "code"]
        sources = (("".join(cell["source"]), cell["metadata"].get("tags", [])) for cell in code)
        return modules_to_import(sources, course.limits)
    except (ValueError, LookupError, TypeError, AttributeError):
        return []
