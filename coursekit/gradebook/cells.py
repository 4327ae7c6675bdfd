"""The week's cells in the gradebook, as `nbgrader generate_assignment` would write them."""

import json
from datetime import UTC

from coursekit.course.config import Course, Week
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import Master
from coursekit.gradebook.convert import convert
from coursekit.gradebook.database import open_gradebook, writing


def sync(course: Course, week: Week, *, drop_marks: bool = False) -> None:
    """Make the gradebook know the week's cells as `nbgrader generate_assignment` would, in one transaction.

    Points and sources are brought up to date; a test that is new waits for grading in every submission; a cell
    that is gone takes its marks along.

    Raises:
        CourseError: a person has marked or commented a cell that is gone, and drop_marks is False.
    """
    master = course.master(week)
    with open_gradebook(course) as book, writing(book) as session:
        sync_in(session, book.course_id, course, week, master, drop_marks)


def sync_in(session, course_id: str, course: Course, week: Week, master: Master, drop_marks: bool = False):
    """Returns nbgrader's Notebook row of the week."""
    from nbgrader.api import Assignment, Comment, Grade, GradeCell, Notebook, SolutionCell, SourceCell
    from nbgrader.utils import is_grade, is_locked, is_solution
    from sqlalchemy import select

    graded = convert(course, week, master).graded
    assignment = session.scalar(select(Assignment).where(Assignment.name == week.name))
    if assignment is None:
        assignment = Assignment(name=week.name, course_id=course_id)
        session.add(assignment)
        session.flush()
    if week.due is not None:  # else it stays as somebody may have set it in the formgrader
        due = week.due.astimezone(UTC).replace(tzinfo=None)
        if assignment.duedate != due:
            assignment.duedate = due
    notebook = None
    for other in session.scalars(select(Notebook).where(Notebook.assignment_id == assignment.id)).all():
        if other.name == week.notebook:
            notebook = other
        else:
            _remove_notebook(session, week, other, drop_marks)
    kernelspec = json.dumps(graded.metadata.get("kernelspec", {}))
    if notebook is None:
        notebook = Notebook(name=week.notebook, assignment_id=assignment.id)
        session.add(notebook)
    if notebook.kernelspec != kernelspec:
        notebook.kernelspec = kernelspec
    session.flush()

    wanted = {}
    for node in graded.cells:
        if is_grade(node):
            score = float(node.metadata.nbgrader["points"])
            wanted[GradeCell, node.metadata.nbgrader["grade_id"]] = {
                "max_score": score,
                "cell_type": node.cell_type,
            }
        if is_solution(node):
            wanted[SolutionCell, node.metadata.nbgrader["grade_id"]] = {}
        if is_grade(node) or is_solution(node) or is_locked(node):
            wanted[SourceCell, node.metadata.nbgrader["grade_id"]] = {
                "cell_type": node.cell_type,
                "locked": is_locked(node),
                "source": node.source,
                "checksum": node.metadata.nbgrader.get("checksum"),
            }
    present = {
        (kind, cell.name): cell
        for kind in (GradeCell, SolutionCell, SourceCell)
        for cell in session.scalars(select(kind).where(kind.notebook_id == notebook.id)).all()
    }
    gone = [cell for key, cell in present.items() if key not in wanted]
    _remove_cells(session, week, gone, drop_marks)
    added = []
    for (kind, name), values in wanted.items():
        cell = present.get((kind, name))
        if cell is None:
            cell = kind(name=name, notebook_id=notebook.id, **values)
            session.add(cell)
            added.append(cell)
        for key, value in values.items():
            if getattr(cell, key) != value:
                setattr(cell, key, value)
    session.flush()
    submitted = _submitted_ids(session, notebook.id) if added else []
    for cell in added:
        row = {GradeCell: Grade, SolutionCell: Comment}.get(type(cell))
        if row is not None and submitted:
            session.bulk_insert_mappings(row, [{"cell_id": cell.id, "notebook_id": key} for key in submitted])
    return notebook


def _submitted_ids(session, notebook_id: str) -> list[str]:
    from nbgrader.api import SubmittedNotebook
    from sqlalchemy import select

    return list(
        session.scalars(select(SubmittedNotebook.id).where(SubmittedNotebook.notebook_id == notebook_id))
    )


def _remove_cells(session, week: Week, cells: list, drop_marks: bool):
    from nbgrader.api import Comment, Grade, SourceCell
    from sqlalchemy import delete, or_, select

    ids = {cell.id: cell.name for cell in cells if not isinstance(cell, SourceCell)}
    if ids and not drop_marks:
        human = or_(Grade.manual_score.is_not(None), Grade.extra_credit.is_not(None))
        marked = set(session.scalars(select(Grade.cell_id).where(Grade.cell_id.in_(ids), human)))
        marked |= set(
            session.scalars(
                select(Comment.cell_id).where(Comment.cell_id.in_(ids), Comment.manual_comment > "")
            )
        )
        if marked:
            names = ", ".join(sorted({ids[key] for key in marked}))
            raise CourseError(
                f"{week.name}: the gradebook holds marks or comments given by hand for cells that are gone "
                f"from the master: {names}. Give the cells their old grade_id back, or release with --drop-marks."
            )
    for row in (Grade, Comment):
        session.execute(delete(row).where(row.cell_id.in_(ids)).execution_options(synchronize_session=False))
    for cell in cells:
        session.delete(cell)
    session.flush()


def _remove_notebook(session, week: Week, notebook, drop_marks: bool):
    """Take a notebook that the week no longer has out of the gradebook."""
    from nbgrader.api import GradeCell, SolutionCell, SourceCell, SubmittedNotebook
    from sqlalchemy import delete, select

    for kind in (GradeCell, SolutionCell, SourceCell):
        cells = session.scalars(select(kind).where(kind.notebook_id == notebook.id)).all()
        _remove_cells(session, week, cells, drop_marks)
    session.execute(delete(SubmittedNotebook).where(SubmittedNotebook.notebook_id == notebook.id))
    session.delete(notebook)
    session.flush()
