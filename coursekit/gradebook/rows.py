"""The rows of nbgrader's tables for a batch of results: present rows are read, and changes are written in bulk."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from nbgrader.api import (
    Comment,
    Grade,
    GradeCell,
    SolutionCell,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
    new_uuid,
)
from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from coursekit.course.config import Course, Week
from coursekit.engine.shared.master import Master
from coursekit.gradebook.cells import write_cells_in
from coursekit.gradebook.database import open_gradebook, writing
from coursekit.gradebook.tables import RECORDED

NO_RESPONSE = "No response."  # nbgrader's automatic comment on an untouched answer

Rows = dict[Any, list[dict[str, Any]]]  # {nbgrader's class: rows}


@dataclass(frozen=True)
class GradebookEntry:
    """The data that is recorded of one result."""

    scores: dict[str, float | None]  # {graded cell: automatic score, None where a person decides}
    handed_in_at: datetime | None  # in UTC without a zone
    penalty: float  # points taken off for being late
    status: str
    submission: str  # its hash
    flags: str  # hash of the flags and the submission
    flagged: bool


def write_entries(course: Course, week: Week, master: Master, entries: dict[str, GradebookEntry]) -> None:
    """Write a batch of entries, by student, in one transaction. Rows that already hold the values are left alone."""
    with open_gradebook(course) as book, writing(book) as session:
        notebook = write_cells_in(session, book.course_id, course, week, master)
        RECORDED.create(session.connection(), checkfirst=True)
        present = _read(session, notebook, list(entries))
        new: Rows = defaultdict(list)
        changed: Rows = defaultdict(list)
        recorded = [_plan(present, student, entry, new, changed) for student, entry in entries.items()]
        # A table comes after those that its foreign keys name.
        for kind in (Student, SubmittedAssignment, SubmittedNotebook, Grade, Comment):
            if new[kind]:
                session.execute(insert(kind), new[kind])
            if changed[kind]:
                session.execute(update(kind), changed[kind])
        if differing := [row for row in recorded if row != present.recorded.get(row["notebook_id"])]:
            keys = [row["notebook_id"] for row in differing]
            session.execute(delete(RECORDED).where(RECORDED.c.notebook_id.in_(keys)))
            session.execute(insert(RECORDED), differing)


@dataclass(frozen=True)
class _PresentRows:
    """The gradebook's rows of some students before anything is written. Ids are nbgrader's."""

    assignment: str
    notebook: str
    grade_cells: dict[str, str]  # {grade_id: id}
    solution_cells: dict[str, str]
    students: set[str]  # who have a row of their own
    submissions: dict[str, Any]  # {student: id and timestamp}
    notebooks: dict[str, Any]  # {student: id and late penalty of the submitted notebook}
    grades: dict[tuple[str, str], Any]  # {(submitted notebook, cell): id and scores}
    comments: dict[tuple[str, str], Any]
    recorded: dict[str, dict[str, Any]]  # {submitted notebook: row of RECORDED}


def _read(session: Session, notebook: Any, students: list[str]) -> _PresentRows:
    """Read the present rows. `notebook` is nbgrader's row of the week's notebook."""

    def cells(kind: Any) -> dict[str, str]:
        """Return {grade_id: id} of one kind of cell."""
        rows = session.execute(select(kind.name, kind.id).where(kind.notebook_id == notebook.id))
        return {row.name: row.id for row in rows}

    def of_cells(table: Any, keys: Iterable[str], *columns: Any) -> dict[tuple[str, str], Any]:
        """Return {(notebook, cell): row}, read through the tables' index of both columns."""
        chosen = table.cell_id.in_(list(keys)), table.notebook_id.in_(notebook_ids)
        rows = session.execute(select(table.notebook_id, table.cell_id, table.id, *columns).where(*chosen))
        return {(row.notebook_id, row.cell_id): row for row in rows}

    submissions = session.execute(
        select(SubmittedAssignment.student_id, SubmittedAssignment.id, SubmittedAssignment.timestamp).where(
            SubmittedAssignment.assignment_id == notebook.assignment_id,
            SubmittedAssignment.student_id.in_(students),
        )
    ).all()
    notebooks = session.execute(
        select(
            SubmittedAssignment.student_id,
            SubmittedNotebook.id,
            SubmittedNotebook.late_submission_penalty.label("penalty"),
        )
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .where(SubmittedNotebook.notebook_id == notebook.id, SubmittedAssignment.student_id.in_(students))
    ).all()
    notebook_ids = [row.id for row in notebooks]
    grade_cells, solution_cells = cells(GradeCell), cells(SolutionCell)
    scores = Grade.auto_score, Grade.manual_score, Grade.needs_manual_grade
    recorded = session.execute(select(RECORDED).where(RECORDED.c.notebook_id.in_(notebook_ids)))
    return _PresentRows(
        assignment=notebook.assignment_id,
        notebook=notebook.id,
        grade_cells=grade_cells,
        solution_cells=solution_cells,
        students=set(session.scalars(select(Student.id).where(Student.id.in_(students)))),
        submissions={row.student_id: row for row in submissions},
        notebooks={row.student_id: row for row in notebooks},
        grades=of_cells(Grade, grade_cells.values(), *scores),
        comments=of_cells(Comment, solution_cells.values(), Comment.auto_comment),
        recorded={row["notebook_id"]: dict(row) for row in recorded.mappings()},
    )


def _plan(
    present: _PresentRows, student: str, entry: GradebookEntry, new: Rows, changed: Rows
) -> dict[str, Any]:
    """Add the rows that one entry needs to `new` and `changed`, and return its row of the table RECORDED."""
    if student not in present.students:
        new[Student].append({"id": student})
    submission = present.submissions.get(student)
    submission_id = new_uuid() if submission is None else submission.id
    row = {"id": submission_id, "timestamp": entry.handed_in_at}
    if submission is None:
        new[SubmittedAssignment].append(row | {"assignment_id": present.assignment, "student_id": student})
    elif submission.timestamp != entry.handed_in_at:
        changed[SubmittedAssignment].append(row)
    before = present.notebooks.get(student)
    notebook = new_uuid() if before is None else before.id
    row = {"id": notebook, "late_submission_penalty": entry.penalty}
    if before is None:
        keys = {"assignment_id": submission_id, "notebook_id": present.notebook}
        new[SubmittedNotebook].append(row | keys | {"flagged": False})
    elif (before.penalty or 0) != entry.penalty:
        changed[SubmittedNotebook].append(row)
    last = present.recorded.get(notebook)
    resubmitted = last is not None and last["submission"] != entry.submission
    for name, score in entry.scores.items():
        old = present.grades.get((notebook, present.grade_cells[name]))
        if old is None or old.manual_score is None:
            waits = score is None
        else:  # a person marked this cell: is what they saw still what is there?
            waits = old.needs_manual_grade or resubmitted or old.auto_score != score
        row = {"auto_score": score, "needs_manual_grade": waits}
        if old is None:
            new[Grade].append(row | {"notebook_id": notebook, "cell_id": present.grade_cells[name]})
        elif (old.auto_score, old.needs_manual_grade) != (score, waits):
            changed[Grade].append(row | {"id": old.id})
    for name, cell in present.solution_cells.items():
        comment = NO_RESPONSE if entry.scores.get(name) == 0 else None
        old = present.comments.get((notebook, cell))
        if old is None:
            new[Comment].append({"auto_comment": comment, "notebook_id": notebook, "cell_id": cell})
        elif name in entry.scores and old.auto_comment != comment:
            changed[Comment].append({"auto_comment": comment, "id": old.id})
    if entry.flagged and (last is None or last["flags"] != entry.flags):
        changed[SubmittedNotebook].append({"id": notebook, "flagged": True})
    columns = ("status", "submission", "flags")
    return {"notebook_id": notebook} | {name: getattr(entry, name) for name in columns}
