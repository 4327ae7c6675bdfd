"""The week's cells in the gradebook, as `nbgrader generate_assignment` would write them."""

import json
from datetime import UTC
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import (
    Assignment,
    Comment,
    Grade,
    GradeCell,
    Notebook,
    SolutionCell,
    SourceCell,
    SubmittedNotebook,
)
from nbgrader.utils import is_grade, is_locked, is_solution
from sqlalchemy import delete, insert, or_, select
from sqlalchemy.orm import Session

from coursekit.course.config import Course, Week
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import Master
from coursekit.gradebook.convert import convert
from coursekit.gradebook.database import open_gradebook, writing

CELL_KINDS = (GradeCell, SolutionCell, SourceCell)


def write_cells(course: Course, week: Week, *, drop_marks: bool = False) -> None:
    """Write the week's cells to the gradebook as `nbgrader generate_assignment` would, in one transaction.

    Points and sources are brought up to date; a new test waits for grading in every submission; the marks of
    a removed cell are dropped.

    Raises:
        CourseError: a person has marked or commented a removed cell, and drop_marks is False; or nbgrader refuses the
            notebook, or the gradebook cannot be used.
    """
    with open_gradebook(course) as book, writing(book) as session:
        write_cells_in(session, book.course_id, course, week, course.master(week), drop_marks)


def write_cells_in(
    session: Session, course_id: str, course: Course, week: Week, master: Master, drop_marks: bool = False
) -> Any:
    """Do the same as `write_cells` in a session that has begun to write, and return the week's Notebook row."""
    converted = convert(course, master).for_gradebook
    assignment = session.scalar(select(Assignment).where(Assignment.name == week.name))
    if assignment is None:
        assignment = Assignment(name=week.name, course_id=course_id)
        session.add(assignment)
        session.flush()
    if week.due is not None:  # without one, a due date set in the formgrader stays
        assignment.duedate = week.due.astimezone(UTC).replace(tzinfo=None)
    notebook = None
    for other in session.scalars(select(Notebook).where(Notebook.assignment_id == assignment.id)).all():
        if other.name == week.notebook:
            notebook = other
        else:  # the week no longer has it
            for kind in CELL_KINDS:
                _remove_cells(session, week, _cells(session, kind, other), drop_marks)
            session.execute(delete(SubmittedNotebook).where(SubmittedNotebook.notebook_id == other.id))
            session.delete(other)
    if notebook is None:
        notebook = Notebook(name=week.notebook, assignment_id=assignment.id)
        session.add(notebook)
    notebook.kernelspec = json.dumps(converted.metadata.get("kernelspec", {}))
    session.flush()

    present = {(kind, cell.name): cell for kind in CELL_KINDS for cell in _cells(session, kind, notebook)}
    required = _required(converted)
    _remove_cells(session, week, [cell for key, cell in present.items() if key not in required], drop_marks)
    for (kind, name), values in required.items():
        if cell := present.get((kind, name)):
            for key, value in values.items():
                setattr(cell, key, value)  # SQLAlchemy writes what differs
            continue
        cell = kind(name=name, notebook_id=notebook.id, **values)
        session.add(cell)
        session.flush()
        row_class = {GradeCell: Grade, SolutionCell: Comment}.get(kind)
        submitted = select(SubmittedNotebook.id).where(SubmittedNotebook.notebook_id == notebook.id)
        if row_class and (ids := session.scalars(submitted).all()):
            session.execute(insert(row_class), [{"cell_id": cell.id, "notebook_id": key} for key in ids])
    session.flush()
    return notebook


def _cells(session: Session, kind: Any, notebook: Any) -> list[Any]:
    return list(session.scalars(select(kind).where(kind.notebook_id == notebook.id)))


def _required(converted: NotebookNode) -> dict[tuple[Any, str], dict[str, Any]]:
    """Return {(class of nbgrader's row, grade_id): its other columns} for a converted notebook."""
    required: dict[tuple[Any, str], dict[str, Any]] = {}
    for node in converted.cells:
        data = node.metadata.get("nbgrader", {})
        grade, solution, locked = is_grade(node), is_solution(node), is_locked(node)
        cell_type = {"cell_type": node.cell_type}
        if grade:
            required[GradeCell, data["grade_id"]] = cell_type | {"max_score": float(data["points"])}
        if solution:
            required[SolutionCell, data["grade_id"]] = {}
        if grade or solution or locked:
            text = {"locked": locked, "source": node.source, "checksum": data.get("checksum")}
            required[SourceCell, data["grade_id"]] = cell_type | text
    return required


def _remove_cells(session: Session, week: Week, cells: list[Any], drop_marks: bool) -> None:
    ids = {cell.id: cell.name for cell in cells if not isinstance(cell, SourceCell)}
    by_people = {
        Grade: or_(Grade.manual_score.is_not(None), Grade.extra_credit.is_not(None)),
        Comment: Comment.manual_comment > "",
    }
    marked: set[str] = set()
    for row, by_person in by_people.items():
        marked.update(session.scalars(select(row.cell_id).where(row.cell_id.in_(ids), by_person)))
    if marked and not drop_marks:
        names = ", ".join(sorted({ids[key] for key in marked}))
        raise CourseError(
            f"{week.name}: the gradebook holds marks or comments given by hand for cells that are gone "
            f"from the master: {names}. Give the cells their old grade_id back, or release with --drop-marks."
        )
    for row in by_people:
        session.execute(delete(row).where(row.cell_id.in_(ids)).execution_options(synchronize_session=False))
    for cell in cells:
        session.delete(cell)
    session.flush()
