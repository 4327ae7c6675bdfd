"""Results into nbgrader's own gradebook, and marks out of it.

nbgrader's tables are written in bulk, one transaction a call. What a TA wrote (manual scores, extra credit,
comments) is read, never written. One table is added, `coursekit_submission`: what was last recorded for a
submission, so that recording a result again changes nothing and a TA's cleared flag stays cleared.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from zoneinfo import ZoneInfo

from coursekit.course import Course, Week
from coursekit.database import locate, open_gradebook, reading, writing
from coursekit.errors import CourseError
from coursekit.master import Master
from coursekit.release import convert
from coursekit.result import UNREADABLE, Result
from coursekit.submission import open_regular

BATCH = 1000  # results in one transaction
TIMESTAMP = "timestamp.txt"
MAX_TIMESTAMP = 100  # bytes
NO_RESPONSE = "No response."  # nbgrader's automatic comment on an untouched answer


@dataclass(frozen=True, slots=True)
class Marks:
    """One student's marks in one week, as the gradebook has them now."""

    student: str
    status: str  # coursekit.result's; "" when plain nbgrader graded this submission
    score: float  # tests and marks given by people, extra credit included, before any late penalty
    max_score: float  # tests and written questions
    questions: dict[str, float | None]  # None: a person has to grade it first
    needs_manual: bool  # some cell waits for a person
    flagged: bool  # something a TA must look at; a TA can clear it in the formgrader


def _recorded_table():
    from sqlalchemy import Column, MetaData, String, Table

    return Table(
        "coursekit_submission",
        MetaData(),
        Column("notebook_id", String(32), primary_key=True),  # submitted_notebook.id
        Column("status", String(32), nullable=False),
        Column("submission", String(64), nullable=False),  # the submission's hash
        Column("flags", String(64), nullable=False),  # digest of the flags and the submission
    )


def sync(course: Course, week: Week, *, drop_marks: bool = False) -> None:
    """Make the gradebook know the week's cells as `nbgrader generate_assignment` would, in one transaction.

    Points and sources are brought up to date; a test that is new waits for grading in every submission; a cell
    that is gone takes its marks along.

    Raises:
        CourseError: a person has marked or commented a cell that is gone, and drop_marks is False.
    """
    master = course.master(week)
    with open_gradebook(course) as book, writing(book) as session:
        _sync(session, book.course_id, course, week, master, drop_marks)


def _sync(session, course_id: str, course: Course, week: Week, master: Master, drop_marks: bool = False):
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
                f"{week.name}: the gradebook holds marks or comments that people gave on cells that are gone "
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


def record(course: Course, week: Week, results: Iterable[Result]) -> int:
    """Write results of one week into nbgrader's gradebook.

    They are taken BATCH at a time, each batch in one transaction: a class of any size is never in memory, and a
    TA at work waits for one batch, not for the class. A batch is written wholly or, where something is wrong in
    it, not at all; those before it stay. Safe to interrupt and to repeat.

    Tests get their automatic score, an unreadable submission 0 on each. A written question with a score in the
    result (0, as nothing was written) has it; without one it waits for a person, unless marked already. After
    another submission, or when a test's outcome changed, a mark given by hand is kept and shown for review, as
    nbgrader does. A result with flags flags the submission, once: a TA who clears the flag sees it again only
    when the flags or the submission are others.

    Returns:
        How many results were written.

    Raises:
        CourseError: the results are not of this week or of this master, or the gradebook cannot be used.
    """
    count, results = 0, iter(results)
    while batch := {result.student: result for result in islice(results, BATCH)}:
        count += _record_batch(course, week, batch)
    return count


def _record_batch(course: Course, week: Week, results: dict[str, Result]) -> int:
    master = course.master(week)
    for result in results.values():
        if result.hashes.get("master", master.digest) != master.digest:
            raise CourseError(_outdated(week, result))
    scores = {student: _automatic(week, master, result) for student, result in results.items()}
    times = {student: read_time(course.submitted(student, week) / TIMESTAMP) for student in results}
    with open_gradebook(course) as book, writing(book) as session:
        notebook = _sync(session, book.course_id, course, week, master)
        _record(session, notebook, results, scores, times)
    return len(results)


def _automatic(week: Week, master: Master, result: Result) -> dict[str, float | None]:
    """{grade_id: automatic score, None where a person decides} for every graded cell."""
    name = f"The result of {result.student}"
    if result.week != week.name:
        raise CourseError(f"{name} is of {result.week}, not of {week.name}.")
    known = [test for question in master.questions for test in question.tests]
    scores: dict[str, float | None] = {test.id: float(test.score) for test in result.tests}
    if result.status == UNREADABLE:
        scores = dict.fromkeys(known, 0.0)
    elif set(scores) != set(known):
        raise CourseError(_outdated(week, result))
    given = {question.id: question.score for question in result.questions}
    for question in master.questions:
        if not question.written:
            continue
        scores[question.id] = given.get(question.id)
    return scores


def _outdated(week: Week, result: Result) -> str:
    return (
        f"The result of {result.student} is of another version of source/{week.name}. "
        f"Run `course grade {week.name}` again."
    )


def read_time(path: Path) -> datetime | None:
    """When a submission came, from nbgrader's timestamp.txt in its folder, in UTC without a zone.

    The formgrader compares the file with the gradebook, and asks for grading where they differ. A student may have
    put the file there: what is no short regular file that says a time is no time.
    """
    try:
        opened = open_regular(path)
    except OSError:
        return None
    if opened is None:
        return None
    descriptor, size = opened
    with open(descriptor, "rb") as file:
        return came(file.read(MAX_TIMESTAMP)) if size <= MAX_TIMESTAMP else None


# ISO 8601 with a date and a time; behind it, as nbgrader writes it, the zone's offset or its name.
_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)\s?(Z|[+-]\d\d:?\d\d|[A-Za-z][\w+/-]{0,40})?",
    re.ASCII,
)


def came(data: bytes) -> datetime | None:
    """What a timestamp.txt says, in UTC without a zone; None when that is no time.

    >>> came(b"2026-11-02 10:00:00.5 Europe/Berlin")
    datetime.datetime(2026, 11, 2, 9, 0, 0, 500000)
    """
    match = _TIME.fullmatch(data.decode("ascii", "replace").strip())
    if match is None:
        return None
    text, zone = match[1], match[2] or "Z"
    try:
        if zone in ("Z", "UTC", "GMT"):
            return datetime.fromisoformat(text)
        if zone[0] in "+-":
            told = datetime.fromisoformat(text + zone)
        else:
            told = datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))
        return (told - told.utcoffset()).replace(tzinfo=None)
    except (ValueError, OverflowError, OSError, KeyError):
        return None


def _record(session, notebook, results: dict[str, Result], scores: dict, times: dict) -> None:
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
    from sqlalchemy import bindparam, delete, insert, select

    recorded = _recorded_table()
    recorded.create(session.connection(), checkfirst=True)
    students = list(results)

    def rows(statement, keys=students):
        """Rows of a select that names some of these keys."""
        return [row for some in _slices(keys) for row in session.execute(statement(some))]

    there = {row[0] for row in rows(lambda some: select(Student.id).where(Student.id.in_(some)))}
    _insert(session, Student, [{"id": key} for key in students if key not in there])

    assignment_id = notebook.assignment_id
    submissions = {
        row.student_id: row
        for row in rows(
            lambda some: select(
                SubmittedAssignment.student_id, SubmittedAssignment.id, SubmittedAssignment.timestamp
            ).where(
                SubmittedAssignment.assignment_id == assignment_id, SubmittedAssignment.student_id.in_(some)
            )
        )
    }
    new = [
        {"id": new_uuid(), "assignment_id": assignment_id, "student_id": key, "timestamp": times[key]}
        for key in students
        if key not in submissions
    ]
    _insert(session, SubmittedAssignment, new)
    submission_ids = {key: row.id for key, row in submissions.items()} | {
        row["student_id"]: row["id"] for row in new
    }
    _update(
        session,
        SubmittedAssignment,
        [
            {"id": row.id, "timestamp": times[key]}
            for key, row in submissions.items()
            if row.timestamp != times[key]
        ],
    )

    notebooks = {
        row.student_id: row.id
        for row in rows(
            lambda some: (
                select(SubmittedAssignment.student_id, SubmittedNotebook.id)
                .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
                .where(SubmittedNotebook.notebook_id == notebook.id, SubmittedAssignment.student_id.in_(some))
            )
        )
    }
    there = list(notebooks.values())
    new = {key: new_uuid() for key in students if key not in notebooks}
    _insert(
        session,
        SubmittedNotebook,
        [
            {"id": value, "assignment_id": submission_ids[key], "notebook_id": notebook.id, "flagged": False}
            for key, value in new.items()
        ],
    )
    grade_cells = dict(
        session.execute(
            select(GradeCell.name, GradeCell.id).where(GradeCell.notebook_id == notebook.id)
        ).all()
    )
    solution_cells = dict(
        session.execute(
            select(SolutionCell.name, SolutionCell.id).where(SolutionCell.notebook_id == notebook.id)
        ).all()
    )
    notebooks |= new

    def of_cells(table, cells, *columns):
        """{(notebook, cell): row}, found through the index that the tables have: by both."""
        columns = (table.notebook_id, table.cell_id, table.id, *columns)
        found = rows(
            lambda some: select(*columns).where(
                table.cell_id.in_(list(cells.values())), table.notebook_id.in_(some)
            ),
            there,
        )
        return {(row.notebook_id, row.cell_id): row for row in found}

    grades = of_cells(Grade, grade_cells, Grade.auto_score, Grade.manual_score, Grade.needs_manual_grade)
    comments = of_cells(Comment, solution_cells, Comment.auto_comment)
    before = {
        row.notebook_id: row
        for row in rows(lambda some: select(recorded).where(recorded.c.notebook_id.in_(some)), there)
    }

    new_grades, changed_grades, new_comments, changed_comments, flag, remember = [], [], [], [], [], []
    for student, result in results.items():
        key = notebooks[student]
        last = before.get(key)
        submission = result.hashes.get("submission", "")
        resubmitted = last is not None and last.submission != submission
        for name, score in scores[student].items():
            cell = grade_cells[name]
            old = grades.get((key, cell))
            if old is None:
                waits = score is None
                new_grades.append(
                    {"notebook_id": key, "cell_id": cell, "auto_score": score, "needs_manual_grade": waits}
                )
                continue
            if old.manual_score is None:
                waits = score is None
            else:  # a person marked this cell: is what they saw still what is there?
                waits = old.needs_manual_grade or resubmitted or old.auto_score != score
            if (old.auto_score, old.needs_manual_grade) != (score, waits):
                changed_grades.append({"id": old.id, "auto_score": score, "needs_manual_grade": waits})
        for name, cell in solution_cells.items():
            comment = NO_RESPONSE if name in scores[student] and scores[student][name] == 0 else None
            old = comments.get((key, cell))
            if old is None:
                new_comments.append({"notebook_id": key, "cell_id": cell, "auto_comment": comment})
            elif name in scores[student] and old.auto_comment != comment:
                changed_comments.append({"id": old.id, "auto_comment": comment})
        flags = [[note.kind, note.cell, note.detail] for note in result.flags]
        digest = hashlib.sha256(json.dumps([flags, submission]).encode()).hexdigest()
        if flags and (last is None or last.flags != digest):
            flag.append({"id": key, "flagged": True})
        row = (result.status, submission, digest)
        if last is None or tuple(last)[1:] != row:
            names = ("notebook_id", "status", "submission", "flags")
            remember.append(dict(zip(names, (key, *row), strict=True)))

    _insert(session, Grade, [{"id": new_uuid(), **row} for row in new_grades])
    _update(session, Grade, changed_grades)
    _insert(session, Comment, [{"id": new_uuid(), **row} for row in new_comments])
    _update(session, Comment, changed_comments)
    _update(session, SubmittedNotebook, flag)
    old = [{"key": row["notebook_id"]} for row in remember if row["notebook_id"] in before]
    if old:
        session.connection().execute(delete(recorded).where(recorded.c.notebook_id == bindparam("key")), old)
    if remember:
        session.execute(insert(recorded), remember)


def _slices(keys: list) -> Iterator[list]:
    """As many at a time as one statement may name: SQLite has a limit on parameters."""
    for start in range(0, len(keys), 500):
        yield keys[start : start + 500]


def _insert(session, kind, rows: list[dict]) -> None:
    from sqlalchemy import insert

    if rows:
        session.execute(insert(kind.__table__), rows)


def _update(session, kind, rows: list[dict]) -> None:
    """Change the named columns, and no other, of rows given by id."""
    from sqlalchemy import bindparam, update

    if rows:
        table = kind.__table__
        values = {name: bindparam(f"new_{name}") for name in rows[0] if name != "id"}
        session.connection().execute(
            update(table).where(table.c.id == bindparam("key")).values(values),
            [
                {"key": row["id"], **{f"new_{name}": value for name, value in row.items() if name != "id"}}
                for row in rows
            ],
        )


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
    recorded = _recorded_table()
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
        for some in _slices(submissions):  # of the grades only these in memory
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
