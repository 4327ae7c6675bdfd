"""Results into nbgrader's own gradebook: what is there is read, what has to change is planned, and that is written.

nbgrader's tables are written in bulk, one transaction a call. What a TA wrote (manual scores, extra credit,
comments) is read, never written. One table is added, `coursekit_submission`: what was last recorded for a
submission, so that recording a result again changes nothing and a TA's cleared flag stays cleared.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from coursekit.course.config import Course, Week
from coursekit.course.late import lateness
from coursekit.course.roster import the_roster
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import Master
from coursekit.engine.shared.result import UNREADABLE, Result
from coursekit.gradebook.cells import sync_in
from coursekit.gradebook.database import open_gradebook, writing
from coursekit.gradebook.tables import insert_rows, recorded_table, slices, update_rows
from coursekit.gradebook.timestamps import TIMESTAMP, read_time

BATCH = 1000  # results in one transaction
NO_RESPONSE = "No response."  # nbgrader's automatic comment on an untouched answer


def record(course: Course, week: Week, results: Iterable[Result]) -> int:
    """Write results of one week into nbgrader's gradebook.

    They are taken BATCH at a time, each batch in one transaction: a class of any size is never in memory, and a
    TA at work waits for one batch, not for the class. A batch is written wholly or, where something is wrong in
    it, not at all; those before it stay. Safe to interrupt and to repeat.

    Tests get their automatic score, an unreadable submission 0 on each. A written question with a score in the
    result (0, as nothing was written) has it; without one it waits for a person, unless marked already. After
    another submission, or when a test's outcome changed, a mark given by hand is kept and shown for review, as
    nbgrader does. A result with flags flags the submission, once: a TA who clears the flag sees it again only
    when the flags or the submission are others. What being late costs is written where nbgrader has it.

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
    roster, points = the_roster(course), master.points
    penalties = {
        student: lateness(course, week, roster, student, came, points).penalty
        for student, came in times.items()
    }
    with open_gradebook(course) as book, writing(book) as session:
        notebook = sync_in(session, book.course_id, course, week, master)
        recorded_table().create(session.connection(), checkfirst=True)
        _write(session, _plan(_read(session, notebook, list(results)), results, scores, times, penalties))
    return len(results)


def _automatic(week: Week, master: Master, result: Result) -> dict[str, float | None]:
    """{grade_id: automatic score, None where a person decides} for every graded cell."""
    name = f"The result of {result.student}"
    if result.week != week.name:
        raise CourseError(f"{name} is from {result.week}, not from {week.name}.")
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
        f"The result of {result.student} is from another version of source/{week.name}. "
        f"Run `course grade {week.name}` again."
    )


@dataclass(frozen=True)
class Before:
    """What the gradebook has of some students, before anything is written. Ids are nbgrader's."""

    assignment: str
    notebook: str
    grade_cells: dict[str, str]  # {grade_id: id}
    solution_cells: dict[str, str]
    students: set[str]  # who have a row of their own
    submissions: dict[str, Any]  # {student: id and timestamp}
    notebooks: dict[str, Any]  # {student: id and late penalty of the submitted notebook}
    grades: dict[tuple[str, str], Any]  # {(submitted notebook, cell): id and scores}
    comments: dict[tuple[str, str], Any]
    recorded: dict[str, Any]  # {submitted notebook: what was last recorded}


@dataclass
class Changes:
    """Rows to write: new ones, and of those that are there the id with what changes."""

    students: list[dict] = field(default_factory=list)
    submissions: list[dict] = field(default_factory=list)
    changed_submissions: list[dict] = field(default_factory=list)
    notebooks: list[dict] = field(default_factory=list)
    flagged_notebooks: list[dict] = field(default_factory=list)
    late_notebooks: list[dict] = field(default_factory=list)
    grades: list[dict] = field(default_factory=list)
    changed_grades: list[dict] = field(default_factory=list)
    comments: list[dict] = field(default_factory=list)
    changed_comments: list[dict] = field(default_factory=list)
    recorded: list[dict] = field(default_factory=list)  # in place of what was recorded before


def _read(session, notebook, students: list[str]) -> Before:
    """What is there. `notebook` is nbgrader's row of the week's notebook."""
    from nbgrader.api import (
        Comment,
        Grade,
        GradeCell,
        SolutionCell,
        Student,
        SubmittedAssignment,
        SubmittedNotebook,
    )
    from sqlalchemy import select

    recorded = recorded_table()

    def rows(statement, keys):
        """Rows of a select that names some of these keys."""
        return [row for some in slices(keys) for row in session.execute(statement(some))]

    def cells(kind):
        """{grade_id: id} of one kind of cell."""
        return dict(session.execute(select(kind.name, kind.id).where(kind.notebook_id == notebook.id)).all())

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

    mine = SubmittedAssignment.assignment_id == notebook.assignment_id
    submissions = rows(
        lambda some: select(
            SubmittedAssignment.student_id, SubmittedAssignment.id, SubmittedAssignment.timestamp
        ).where(mine, SubmittedAssignment.student_id.in_(some)),
        students,
    )
    notebooks = rows(
        lambda some: (
            select(
                SubmittedAssignment.student_id,
                SubmittedNotebook.id,
                SubmittedNotebook.late_submission_penalty.label("penalty"),
            )
            .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
            .where(SubmittedNotebook.notebook_id == notebook.id, SubmittedAssignment.student_id.in_(some))
        ),
        students,
    )
    there = [row.id for row in notebooks]
    grade_cells, solution_cells = cells(GradeCell), cells(SolutionCell)
    return Before(
        assignment=notebook.assignment_id,
        notebook=notebook.id,
        grade_cells=grade_cells,
        solution_cells=solution_cells,
        students={
            row.id for row in rows(lambda some: select(Student.id).where(Student.id.in_(some)), students)
        },
        submissions={row.student_id: row for row in submissions},
        notebooks={row.student_id: row for row in notebooks},
        grades=of_cells(Grade, grade_cells, Grade.auto_score, Grade.manual_score, Grade.needs_manual_grade),
        comments=of_cells(Comment, solution_cells, Comment.auto_comment),
        recorded={
            row.notebook_id: row
            for row in rows(lambda some: select(recorded).where(recorded.c.notebook_id.in_(some)), there)
        },
    )


def _plan(
    before: Before, results: dict[str, Result], scores: dict, times: dict, penalties: dict[str, float]
) -> Changes:
    """What has to be written; nothing is, here.

    Args:
        results: by student.
        scores: {student: {grade_id: automatic score, None where a person decides}}.
        times: {student: when the submission came, or None}.
        penalties: {student: points that being late takes off}.
    """
    from nbgrader.api import new_uuid

    changes = Changes()
    for student, result in results.items():
        if student not in before.students:
            changes.students.append({"id": student})
        submission = before.submissions.get(student)
        if submission is None:
            row = {"assignment_id": before.assignment, "student_id": student, "timestamp": times[student]}
            changes.submissions.append({"id": (key := new_uuid()), **row})
        else:
            key = submission.id
            if submission.timestamp != times[student]:
                changes.changed_submissions.append({"id": key, "timestamp": times[student]})
        there, penalty = before.notebooks.get(student), penalties[student]
        if there is None:
            row = {"assignment_id": key, "notebook_id": before.notebook, "flagged": False}
            notebook = new_uuid()
            changes.notebooks.append({"id": notebook, "late_submission_penalty": penalty, **row})
        else:
            notebook = there.id
            if (there.penalty or 0) != penalty:
                changes.late_notebooks.append({"id": notebook, "late_submission_penalty": penalty})
        last = before.recorded.get(notebook)
        handed_in = result.hashes.get("submission", "")
        resubmitted = last is not None and last.submission != handed_in
        _plan_grades(changes, before, notebook, scores[student], resubmitted)
        _plan_comments(changes, before, notebook, scores[student])
        flags = [[note.kind, note.cell, note.detail] for note in result.flags]
        digest = hashlib.sha256(json.dumps([flags, handed_in]).encode()).hexdigest()
        if flags and (last is None or last.flags != digest):
            changes.flagged_notebooks.append({"id": notebook, "flagged": True})
        now = (notebook, result.status, handed_in, digest)
        if last is None or tuple(last) != now:
            names = ("notebook_id", "status", "submission", "flags")
            changes.recorded.append(dict(zip(names, now, strict=True)))
    return changes


def _plan_grades(changes: Changes, before: Before, notebook: str, scores: dict, resubmitted: bool) -> None:
    from nbgrader.api import new_uuid

    for name, score in scores.items():
        cell = before.grade_cells[name]
        old = before.grades.get((notebook, cell))
        if old is None or old.manual_score is None:
            waits = score is None
        else:  # a person marked this cell: is what they saw still what is there?
            waits = old.needs_manual_grade or resubmitted or old.auto_score != score
        row = {"auto_score": score, "needs_manual_grade": waits}
        if old is None:
            changes.grades.append({"id": new_uuid(), "notebook_id": notebook, "cell_id": cell, **row})
        elif (old.auto_score, old.needs_manual_grade) != (score, waits):
            changes.changed_grades.append({"id": old.id, **row})


def _plan_comments(changes: Changes, before: Before, notebook: str, scores: dict) -> None:
    from nbgrader.api import new_uuid

    for name, cell in before.solution_cells.items():
        row = {"auto_comment": NO_RESPONSE if scores.get(name) == 0 else None}
        old = before.comments.get((notebook, cell))
        if old is None:
            changes.comments.append({"id": new_uuid(), "notebook_id": notebook, "cell_id": cell, **row})
        elif name in scores and old.auto_comment != row["auto_comment"]:
            changes.changed_comments.append({"id": old.id, **row})


def _write(session, changes: Changes) -> None:
    """Write it, in the order in which the tables name each other."""
    from nbgrader.api import Comment, Grade, Student, SubmittedAssignment, SubmittedNotebook
    from sqlalchemy import bindparam, delete, insert

    insert_rows(session, Student, changes.students)
    insert_rows(session, SubmittedAssignment, changes.submissions)
    update_rows(session, SubmittedAssignment, changes.changed_submissions)
    insert_rows(session, SubmittedNotebook, changes.notebooks)
    insert_rows(session, Grade, changes.grades)
    update_rows(session, Grade, changes.changed_grades)
    insert_rows(session, Comment, changes.comments)
    update_rows(session, Comment, changes.changed_comments)
    update_rows(session, SubmittedNotebook, changes.flagged_notebooks)
    update_rows(session, SubmittedNotebook, changes.late_notebooks)
    if changes.recorded:
        recorded = recorded_table()
        session.connection().execute(
            delete(recorded).where(recorded.c.notebook_id == bindparam("key")),
            [{"key": row["notebook_id"]} for row in changes.recorded],
        )
        session.execute(insert(recorded), changes.recorded)
