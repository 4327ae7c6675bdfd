"""Marks out of the gradebook: with what people have graded so far, and what being late costs."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from coursekit.course.config import Course, Week
from coursekit.course.late import Lateness, lateness
from coursekit.course.roster import the_roster
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import Master
from coursekit.gradebook.database import locate, open_gradebook, reading
from coursekit.gradebook.tables import notebook_of, recorded_table, slices


@dataclass(frozen=True, slots=True)
class Marks:
    """One student's marks in one week, as the gradebook has them now."""

    student: str
    status: str  # coursekit.engine.shared.result's; "" when plain nbgrader graded this submission
    score: float  # tests and marks given by people, extra credit included, before any penalty for being late
    max_score: float  # tests and written questions
    questions: dict[str, float | None]  # None: a person has to grade it first
    needs_manual: bool  # some cell is still to be graded by hand
    flagged: bool  # something a TA must look at; a TA can clear it in the formgrader
    by_people: dict[str, float] = field(default_factory=dict)  # {graded cell: points} where a person decided
    comments: dict[str, str] = field(default_factory=dict)  # {solution cell: what a person wrote}
    late: Lateness = Lateness()
    came: datetime | None = None  # when it was handed in, in UTC without a zone, where that is known

    @property
    def total(self) -> float:
        """What counts in the end: never less than nothing."""
        return max(0.0, self.score - self.late.penalty)

    @property
    def taken_off(self) -> float:
        """What being late has really cost."""
        return self.score - self.total


def marks(course: Course, week: Week) -> list[Marks]:
    """Every submission of a week, sorted by student.

    Raises:
        CourseError: nothing was recorded for this week yet, or roster.csv cannot be read.
    """
    from nbgrader.api import (
        Assignment,
        Comment,
        Grade,
        GradeCell,
        Notebook,
        SolutionCell,
        SubmittedAssignment,
        SubmittedNotebook,
    )
    from sqlalchemy import inspect, literal, select

    master, roster = course.master(week), the_roster(course)
    nothing = CourseError(
        f"The gradebook has no submission of {week.name}. Run `course grade {week.name}` first."
    )
    url = locate(course)
    if url.get_backend_name() == "sqlite" and not Path(url.database).exists():
        raise nothing
    recorded = recorded_table()
    with open_gradebook(course) as book, reading(book) as session:
        known = inspect(session.connection()).has_table(recorded.name)  # not where plain nbgrader graded all
        mine = (
            select(
                SubmittedAssignment.student_id,
                SubmittedAssignment.timestamp,
                SubmittedNotebook.id,
                SubmittedNotebook.flagged,
                (recorded.c.status if known else literal("")).label("status"),
            )
            .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
            .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
            .join(Assignment, Assignment.id == Notebook.assignment_id)
            .where(Assignment.name == week.name, Notebook.name == week.notebook)
        )
        if known:
            mine = mine.outerjoin(recorded, recorded.c.notebook_id == SubmittedNotebook.id)
        submissions = sorted(session.execute(mine).all(), key=lambda row: row.student_id)
        week_notebook = notebook_of(week)

        def names(kind) -> dict[str, str]:
            """{id: grade_id} of one kind of cell."""
            return dict(
                session.execute(select(kind.id, kind.name).where(kind.notebook_id == week_notebook)).all()
            )

        cells, answers = names(GradeCell), names(SolutionCell)
        found = []
        for some in slices(submissions):  # of the grades only these in memory
            grades: dict[str, dict] = {row.id: {} for row in some}
            of_some = select(
                Grade.notebook_id,
                Grade.cell_id,
                Grade.score,
                Grade.manual_score,
                Grade.extra_credit,
                Grade.needs_manual_grade,
            ).where(Grade.cell_id.in_(list(cells)), Grade.notebook_id.in_(list(grades)))
            # The score of a Grade is computed with its cell's.
            for row in session.execute(of_some.join(GradeCell, GradeCell.id == Grade.cell_id)):
                grades[row.notebook_id][cells[row.cell_id]] = row
            comments: dict[str, dict] = {row.id: {} for row in some}
            of_some = select(Comment.notebook_id, Comment.cell_id, Comment.manual_comment).where(
                Comment.manual_comment > "",
                Comment.cell_id.in_(list(answers)),
                Comment.notebook_id.in_(list(grades)),
            )
            for row in session.execute(of_some):
                comments[row.notebook_id][answers[row.cell_id]] = row.manual_comment
            for row in some:
                one = _marks(master, row.student_id, row.status or "", bool(row.flagged), grades[row.id])
                late = lateness(course, week, roster, one.student, row.timestamp, one.max_score)
                found.append(replace(one, comments=comments[row.id], late=late, came=row.timestamp))
    if not found:
        raise nothing
    return found


def _marks(master: Master, student: str, status: str, flagged: bool, grades: dict) -> Marks:
    questions: dict[str, float | None] = {}
    for question in master.questions:
        rows = [grades[name] for name in (question.tests or (question.id,)) if name in grades]
        waits = question.written and any(row.needs_manual_grade for row in rows)
        questions[question.id] = None if waits else sum(row.score for row in rows)
    return Marks(
        student=student,
        status=status,
        score=sum(score for score in questions.values() if score is not None),
        max_score=master.points,
        questions=questions,
        needs_manual=any(row.needs_manual_grade for row in grades.values()),
        flagged=flagged,
        by_people={
            name: row.score
            for name, row in grades.items()
            if row.manual_score is not None or row.extra_credit
        },
    )
