"""Marks from the gradebook, with those that people have given so far and the late penalty."""

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from coursekit.course.config import Course, Week
from coursekit.course.late import Lateness, lateness
from coursekit.course.roster import read_roster
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import Master

SLICE = 500  # students read at a time: some versions of SQLite allow no more than 999 ids in a statement


@dataclass(frozen=True, slots=True)
class Marks:
    """One student's marks in one week, as the gradebook has them now."""

    student: str
    status: str  # that of its result; "" when plain nbgrader graded this submission
    score: float  # tests and marks given by people, extra credit included, before any penalty for being late
    max_score: float  # tests and written questions
    questions: dict[str, float | None]  # points; None: a written answer that a person has to grade first
    needs_manual: bool  # some cell is still to be graded by hand
    flagged: bool  # something a TA must look at; a TA can clear it in the formgrader
    by_people: dict[str, float] = field(default_factory=dict)  # {graded cell: points} where a person decided
    comments: dict[str, str] = field(default_factory=dict)  # {solution cell: a person's comment}
    late: Lateness = Lateness()
    handed_in_at: datetime | None = None  # when it was handed in, in UTC without a zone, where that is known

    @property
    def total(self) -> float:
        """The score after the penalty, never less than 0."""
        return max(0.0, self.score - self.late.penalty)

    @property
    def taken_off(self) -> float:
        """The points that were taken off for being late."""
        return self.score - self.total


def marks(course: Course, week: Week, student: str | None = None) -> list[Marks]:
    """Return the marks of every submission of a week, or of one student's, sorted by student.

    Raises:
        CourseError: nothing was recorded for this week yet, or the gradebook or roster.csv cannot be read.
    """
    from nbgrader.api import Assignment, Comment, Grade, GradeCell, Notebook, SolutionCell
    from nbgrader.api import SubmittedAssignment as Assigned
    from nbgrader.api import SubmittedNotebook as Submitted
    from sqlalchemy import inspect, literal, select

    from coursekit.gradebook.database import locate, open_gradebook, reading
    from coursekit.gradebook.tables import RECORDED, notebook_of

    master, roster = course.master(week), read_roster(course)
    no_submission = CourseError(
        f"The gradebook has no submission of {week.name}. Run `course grade {week.name}` first."
    )
    url = locate(course)
    if url.get_backend_name() == "sqlite" and not Path(str(url.database)).exists():
        raise no_submission
    with open_gradebook(course) as book, reading(book) as session:
        has_records = inspect(session.connection()).has_table(RECORDED.name)  # plain nbgrader makes none
        status = RECORDED.c.status if has_records else literal("")
        statement = (
            select(
                Assigned.student_id,
                Assigned.timestamp,
                Submitted.id,
                Submitted.flagged,
                status.label("status"),
            )
            .join(Submitted, Submitted.assignment_id == Assigned.id)
            .join(Notebook, Notebook.id == Submitted.notebook_id)
            .join(Assignment, Assignment.id == Notebook.assignment_id)
            .where(Assignment.name == week.name, Notebook.name == week.notebook)
        )
        if student is not None:
            statement = statement.where(Assigned.student_id == student)
        if has_records:
            statement = statement.outerjoin(RECORDED, RECORDED.c.notebook_id == Submitted.id)
        submissions = sorted(session.execute(statement), key=lambda row: row.student_id)
        week_notebook = notebook_of(week)

        def by_cell(kind: Any, batch: list[Any], statement: Any) -> dict[str, dict[str, Any]]:
            """Return {submitted notebook: {grade_id: row}} from a statement, joined with this kind of cell."""
            rows: dict[str, dict[str, Any]] = {row.id: {} for row in batch}
            chosen = kind.notebook_id == week_notebook, table_of[kind].notebook_id.in_(list(rows))
            for row in session.execute(
                statement.join(kind, kind.id == table_of[kind].cell_id).where(*chosen)
            ):
                rows[row.notebook_id][row.name] = row
            return rows

        table_of = {GradeCell: Grade, SolutionCell: Comment}
        scores = Grade.score, Grade.manual_score, Grade.extra_credit, Grade.needs_manual_grade
        all_grades = select(Grade.notebook_id, GradeCell.name, *scores)
        all_comments = select(Comment.notebook_id, SolutionCell.name, Comment.manual_comment)
        all_marks = []
        for start in range(0, len(submissions), SLICE):  # so that only these grades are in memory
            batch = submissions[start : start + SLICE]
            grades = by_cell(GradeCell, batch, all_grades)
            comments = by_cell(SolutionCell, batch, all_comments.where(Comment.manual_comment > ""))
            for row in batch:
                late = lateness(course, week, roster, row.student_id, row.timestamp, master.total_points)
                all_marks.append(_marks(master, row, grades[row.id], comments[row.id], late))
    if not all_marks:
        raise no_submission
    return all_marks


def _marks(
    master: Master, submission: Any, grades: dict[str, Any], comments: dict[str, Any], late: Lateness
) -> Marks:
    """Return the marks in the rows of a submission: its own, and {grade_id: row} of its grades and its comments."""
    questions: dict[str, float | None] = {}
    for question in master.questions:
        rows = [grades[name] for name in (question.tests or (question.id,)) if name in grades]
        waits = question.written and any(row.needs_manual_grade for row in rows)
        questions[question.id] = None if waits else sum(row.score for row in rows)
    return Marks(
        student=submission.student_id,
        status=submission.status or "",
        score=sum(score for score in questions.values() if score is not None),
        max_score=master.total_points,
        questions=questions,
        needs_manual=any(row.needs_manual_grade for row in grades.values()),
        flagged=bool(submission.flagged),
        by_people={
            name: row.score
            for name, row in grades.items()
            if row.manual_score is not None or row.extra_credit
        },
        comments={name: row.manual_comment for name, row in comments.items()},
        late=late,
        handed_in_at=submission.timestamp,
    )
