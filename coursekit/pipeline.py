"""The steps from submissions to marks and pages, one week at a time: for commands, the demo and other programs.

The steps before these are `authoring.release.release` and `intake.collect.collect`.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from coursekit.course.config import Course, Week
from coursekit.course.roster import read_roster
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.result import Result
from coursekit.files import printable
from coursekit.gradebook.marks import Marks, marks
from coursekit.gradebook.record import record
from coursekit.grading.diagnosis import mistakes_for
from coursekit.grading.place import Place
from coursekit.grading.run import ClassRun, grade_class
from coursekit.grading.suspect_tests import SuspectTest, suspect_tests
from coursekit.intake.submissions import graded_students, students
from coursekit.progress import Progress, no_progress


@dataclass(frozen=True)
class GradedWeek:
    """The report of one call of `grade_week`.

    Attributes:
        run: the results, and why each student without one has none.
        unrecorded: why the results are not in the gradebook; "" if they are.
        marks: {student: the marks in the gradebook}.
        suspect_tests: tests that may be wrong.
        missing: students of the roster who handed in nothing.
        roster_problems: a sentence for each line of the roster that could not be read as a student's.
        left_behind: students with a result whose submission is no longer there.
    """

    run: ClassRun
    unrecorded: str
    marks: dict[str, Marks]
    suspect_tests: list[SuspectTest]
    missing: list[str]
    roster_problems: list[str]
    left_behind: list[str]

    @property
    def complete(self) -> bool:
        """Whether every submission has a result in the gradebook, and none of them a fault of the grader."""
        return not (self.run.failed or self.run.faulty or self.unrecorded)


@dataclass(frozen=True)
class FeedbackPages:
    """The pages that `feedback_week` wrote.

    Attributes:
        undiagnosed: why the pages name no probable causes; "" if they can.
        failed: {student: why there is no page}.
    """

    paths: list[Path] = field(default_factory=list)
    undiagnosed: str = ""
    failed: dict[str, str] = field(default_factory=dict)


def grade_week(
    course: Course,
    week: Week,
    *,
    place: Place | None = None,
    unsafe: bool = False,
    force: bool = False,
    only: list[str] | None = None,
    why: str = "",
    progress: Progress = no_progress,
) -> GradedWeek:
    """Grade a week's submissions, record them in the gradebook, and return both, with tests that may be wrong.

    The arguments are those of `grade_class`. If the gradebook cannot be used, the results are kept.

    Raises:
        CourseError: as `grade_class`; or the roster cannot be read.
    """
    roster = read_roster(course)
    run = grade_class(
        course, week, place=place, unsafe=unsafe, force=force, only=only, why=why, progress=progress
    )
    unrecorded, rows = "", {}
    try:
        record(course, week, run.results.values())
        if run.results:
            rows = {row.student: row for row in marks(course, week)}
    except CourseError as error:
        unrecorded = str(error)
    handed_in = set(students(course, week))
    return GradedWeek(
        run=run,
        unrecorded=unrecorded,
        marks=rows,
        suspect_tests=suspect_tests(run.results.values()),
        missing=sorted(set(roster.ids) - handed_in),
        roster_problems=roster.problems,
        left_behind=sorted(set(graded_students(course, week)) - handed_in),
    )


def feedback_week(
    course: Course, week: Week, *, only: list[str] | None = None, progress: Progress = no_progress
) -> FeedbackPages:
    """Write the pages of all students with a result, or of `only` these, and return their paths and failures.

    An unexpected exception on one student's page does not affect the others.

    Raises:
        CourseError: nobody has a result, or one in `only` has none; the gradebook or the roster cannot be read.
        OSError: a page cannot be written.
    """
    # It is slow to import, and `grade_week` does not need it.
    from coursekit.deliver.feedback.page import write_feedback
    from coursekit.deliver.feedback.withheld import policy_now

    chosen = only or graded_students(course, week)
    if not chosen:
        raise CourseError(
            f"autograded/ holds no result of {week.name}. Run `course grade {week.name}` first."
        )
    rows = {row.student: row for row in marks(course, week)}
    pages, failed = [], {}
    results = (Result.read(course.autograded(student, week) / "result.json") for student in chosen)
    mistakes, undiagnosed = mistakes_for(course, week, results, progress)
    roster, now = read_roster(course), datetime.now(UTC)
    for number, student in enumerate(chosen, 1):
        try:
            policy = policy_now(course, week, roster, student, now)
            pages.append(write_feedback(course, week, student, rows.get(student), mistakes, policy))
        except (CourseError, OSError):
            raise
        except Exception as error:
            failed[student] = printable(f"{error!s:.500} ({type(error).__name__})")
        progress(number, len(chosen))
    return FeedbackPages(pages, undiagnosed, failed)
