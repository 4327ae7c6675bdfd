"""What can be proved about a week before a student sees it: its structure, and its tests against the bank."""

from collections.abc import Callable
from dataclasses import dataclass, field

from coursekit.check import answers as bank_check
from coursekit.check import structure
from coursekit.course import Course, Week
from coursekit.release import stale


@dataclass
class Report:
    """What holds and what does not, in sentences."""

    facts: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def check_week(
    course: Course,
    week: Week,
    *,
    answers: bool = True,
    workers: int | None = None,
    unsafe: bool = False,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Report:
    """Check one week.

    Args:
        answers: also run the stub, the reference and every answer of the bank through the engine.
        workers: notebooks at a time.
        unsafe: without the sandbox.

    Raises:
        CourseError: the week cannot be read at all.
    """
    report = Report()
    master = course.master(week)
    checks = {
        "the release is up to date and holds no solution, hidden test or output": [
            reason for reason in [stale(course, week)] if reason
        ],
        "cell ids are unique and the source has no outputs": structure.check_cells(master),
        f"points add up to {sum(question.max_score for question in master.questions):g}": structure.check_points(
            master
        ),
        "test cells are self-contained": structure.check_tests(master),
        "the setup cell is plain Python": structure.check_setup(master),
        "links inside the repository resolve": structure.check_links(course, master),
        "the notebook holds no machine's paths": structure.check_paths(master),
    }
    for fact, problems in checks.items():
        report.problems += problems
        if not problems:
            report.facts.append(fact)
    if answers:
        facts, problems = bank_check.check_answers(course, week, master, workers, unsafe, progress)
        report.facts += facts
        report.problems += problems
    return report
