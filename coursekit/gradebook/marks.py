"""Marks out of the gradebook: with what people have graded so far."""

from dataclasses import dataclass
from pathlib import Path

from coursekit.course import Course, Week
from coursekit.engine.errors import CourseError
from coursekit.engine.master import Master
from coursekit.gradebook.database import locate, open_gradebook, reading
from coursekit.gradebook.tables import recorded_table, slices


@dataclass(frozen=True, slots=True)
class Marks:
    """One student's marks in one week, as the gradebook has them now."""

    student: str
    status: str  # coursekit.engine.result's; "" when plain nbgrader graded this submission
    score: float  # tests and marks given by people, extra credit included, before any late penalty
    max_score: float  # tests and written questions
    questions: dict[str, float | None]  # None: a person has to grade it first
    needs_manual: bool  # some cell waits for a person
    flagged: bool  # something a TA must look at; a TA can clear it in the formgrader


def marks(course: Course, week: Week) -> list[Marks]:
    """Every submission of a week, sorted by student.

    Raises:
        CourseError: nothing was recorded for this week yet.
    """
    from nbgrader.api import (
        Assignment,
        Grade,
        GradeCell,
        Notebook,
        SubmittedAssignment,
        SubmittedNotebook,
    )
    from sqlalchemy import inspect, literal, select

    master = course.master(week)
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
        cells = dict(
            session.execute(
                select(GradeCell.id, GradeCell.name)
                .join(Notebook, Notebook.id == GradeCell.notebook_id)
                .join(Assignment, Assignment.id == Notebook.assignment_id)
                .where(Assignment.name == week.name, Notebook.name == week.notebook)
            ).all()
        )
        found = []
        for some in slices(submissions):  # of the grades only these in memory
            grades: dict[str, dict] = {row.id: {} for row in some}
            of_some = (
                select(Grade.notebook_id, Grade.cell_id, Grade.score, Grade.needs_manual_grade)
                .join(GradeCell, GradeCell.id == Grade.cell_id)
                .where(Grade.cell_id.in_(list(cells)), Grade.notebook_id.in_(list(grades)))
            )
            for row in session.execute(of_some):
                grades[row.notebook_id][cells[row.cell_id]] = row
            found += [
                _marks(master, row.student_id, row.status or "", bool(row.flagged), grades[row.id])
                for row in some
            ]
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
        max_score=sum(question.max_score for question in master.questions),
        questions=questions,
        needs_manual=any(row.needs_manual_grade for row in grades.values()),
        flagged=flagged,
    )
