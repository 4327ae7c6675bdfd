"""Rubric items and marks of answers, in the gradebook.

Points and comments are kept in nbgrader's own tables, so the formgrader, the students' pages and the export find
them there. Each function is one transaction, in which nobody else writes: neither another person who marks, nor the
formgrader, nor `course grade`. A change that rests on an older state is refused with `Conflict`.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import msgspec
from nbgrader.api import Comment, Grade, GradeCell, SolutionCell, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import and_, delete, func, insert, select, update

from coursekit.course.config import Course, Week
from coursekit.deliver.marking.rubric import Item, Mark
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import Question
from coursekit.gradebook.database import open_gradebook, reading, writing
from coursekit.gradebook.tables import ACTIONS, MARKS, RECORDED, RUBRIC_ITEMS, notebook_of


class Conflict(CourseError):
    """The change does not fit the present state, which somebody else may have changed."""


@dataclass(frozen=True)
class AnswerState:
    """One student's answer to one question, as the gradebook has it now."""

    student: str
    mark: Mark
    # Of a written answer, a person's or else the automatic ones; None if a person has to give them, and for code, whose
    # points belong to its tests.
    points: float | None
    changed: bool  # marked, and the submission or its automatic score has changed since
    extra: float  # points on top, given in the formgrader
    who: str  # who marked it here last; "" if nobody, or if it was changed in the formgrader since
    at: str  # when, in UTC
    version: str  # a digest of all that a person must have seen to mark it
    _row: Any = field(repr=False, compare=False)  # the gradebook's row, as `_answers` selects it

    @property
    def waits(self) -> bool:
        """Whether a person has to mark it, if it is a written answer."""
        return self.points is None or self.changed


@dataclass(frozen=True)
class MarkSheet:
    """A question's rubric, all answers to it by student, and what the person who marks them may undo."""

    items: dict[str, Item]  # by id, those removed left out, in the order in which they were made
    answers: dict[str, AnswerState]
    undoable: str = ""  # what `undo` would take back, in words; "" if there is nothing to undo

    @property
    def version(self) -> str:
        """A digest of the rubric."""
        return _digest([asdict(item) for item in self.items.values()])

    def uses(self, item: Item) -> int:
        """Return how many answers have an item."""
        return sum(item.id in answer.mark.items for answer in self.answers.values())


def prepare(course: Course) -> None:
    """Make the tables that are missing."""
    with open_gradebook(course) as book, writing(book) as session:
        for table in (RECORDED, RUBRIC_ITEMS, MARKS, ACTIONS):
            table.create(session.connection(), checkfirst=True)


def read(course: Course, week: Week, question: Question, who: str = "") -> MarkSheet:
    """Return the question's mark sheet, for the person `who`."""
    with open_gradebook(course) as book, reading(book) as session:
        rows = _Rows(session, week, question)
        last = rows.last_action(who)
        return replace(rows.sheet, undoable=last.what if last is not None else "")


def read_week(course: Course, week: Week, questions: Iterable[Question]) -> list[MarkSheet]:
    """Return the mark sheet of each of these questions, all at one moment."""
    with open_gradebook(course) as book, reading(book) as session:
        return [_Rows(session, week, question).sheet for question in questions]


def mark(
    course: Course, week: Week, question: Question, who: str, student: str, seen: str, new: Mark
) -> None:
    """Give an answer this mark in place of the one that it has.

    Args:
        seen: the version of the answer's state that this decision rests on.

    Raises:
        Conflict: the answer has another version now, or an item of the mark has been removed.
        CourseError: there is no such answer.
    """
    with _changing(course, week, question) as rows:
        answer = rows.answer(student)
        if answer.version != seen:
            by = f" by {answer.who}" if answer.who else ""
            raise Conflict(
                f"This answer has been marked or graded again{by} since you saw it. Nothing was written."
            )
        if any(name not in rows.sheet.items for name in new.items):
            raise Conflict("A rubric item that you gave has been removed since. Look at the rubric again.")
        rows.change(who, "the last mark", marks={student: new})


def give_to_all(
    course: Course, week: Week, question: Question, who: str, item: str, students: list[str]
) -> int:
    """Give an item to several answers, beside the items that they have; return how many lacked it.

    Raises:
        Conflict: the item has been removed.
        CourseError: there is no such answer.
    """
    with _changing(course, week, question) as rows:
        if item not in rows.sheet.items:
            raise Conflict("This rubric item has been removed since. Look at the rubric again.")
        answers = [answer for answer in map(rows.answer, students) if item not in answer.mark.items]
        new = {one.student: replace(one.mark, items=(*one.mark.items, item)) for one in answers}
        changed = [answer.student for answer in answers if answer.changed]
        rows.change(who, f"an item for {len(new)} answers", marks=new, changed=changed)
        return len(new)


def write_item(course: Course, week: Week, question: Question, who: str, item: Item, seen: str) -> None:
    """Make an item, or change it for all answers that have it.

    Args:
        item: the item as it should be; with `gone`, all answers lose it.
        seen: the item's version that this decision rests on; "" for a new item.

    Raises:
        Conflict: the item has changed since, or another item has the same text.
    """
    with _changing(course, week, question) as rows:
        before = rows.sheet.items.get(item.id)
        if (before.version if before is not None else "") != seen:
            raise Conflict("Somebody else has changed this rubric item since. Look at it again.")
        if any(other.id != item.id and other.line == item.line for other in rows.sheet.items.values()):
            raise Conflict("There is already a rubric item with this text.")
        what = "the new item" if before is None else "the removal" if item.gone else "the change of an item"
        rows.change(who, what, items={item.id: item})


def undo(course: Course, week: Week, question: Question, who: str) -> str:
    """Take back this person's last action on this question, and return its description.

    An action whose marks or items have changed since is not taken back, and the next call passes over it.

    Raises:
        Conflict: somebody has changed its marks or items since.
        CourseError: there is nothing to take back.
    """
    with _changing(course, week, question) as rows:
        action = rows.last_action(who)
        if action is None:
            raise CourseError("There is nothing of yours to take back.")
        before, after = (msgspec.json.decode(text, type=_Change) for text in (action.before, action.after))
        answers, items = rows.sheet.answers, rows.items
        unchanged = all(items.get(name) == item for name, item in after.items.items()) and all(
            student in answers and answers[student].mark == mark for student, mark in after.given.items()
        )
        if unchanged:
            old = {name: item or replace(items[name], gone=True) for name, item in before.items.items()}
            rows.change(who, items=old, marks=before.given, changed=before.changed)
        rows.session.execute(update(ACTIONS).where(ACTIONS.c.id == action.id).values(undone=True))
    if not unchanged:
        raise Conflict(f"Somebody else has changed this since, so it was not undone: {action.what}.")
    return str(action.what)


@dataclass
class _Change:
    """Items and marks before or after an action, as JSON in the table of actions."""

    items: dict[str, Item | None]
    given: dict[str, Mark]  # by student
    changed: list[str] = field(default_factory=list)  # students whose answer had changed since it was marked


@contextmanager
def _changing(course: Course, week: Week, question: Question) -> Iterator["_Rows"]:
    """Yield the question's rows in a transaction that writes."""
    with open_gradebook(course) as book, writing(book) as session:
        yield _Rows(session, week, question)


class _Rows:
    """The gradebook's rows of one question, read when this object is made.

    Attributes:
        items: all rubric items that were ever made, in that order.
    """

    def __init__(self, session: Any, week: Week, question: Question):
        self.session, self._question = session, question
        self._key = {"week": week.name, "question": question.id}
        rows = session.execute(select(RUBRIC_ITEMS).filter_by(**self._key).order_by(RUBRIC_ITEMS.c.place))
        self.items = {row.id: Item(row.id, row.text, row.points, row.gone) for row in rows}
        items = {name: item for name, item in self.items.items() if not item.gone}
        rows = session.execute(_answers(week, question))
        self.sheet = MarkSheet(items, {row.student_id: _answer_state(row, items) for row in rows})

    def answer(self, student: str) -> AnswerState:
        """Return a student's answer; raise CourseError if there is none."""
        if student not in self.sheet.answers:
            raise CourseError("There is no answer of this student. Load the page again.")
        return self.sheet.answers[student]

    def last_action(self, who: str) -> Any:
        """Return the row of this person's last action that was not undone; None if there is none."""
        actions = select(ACTIONS).filter_by(**self._key, who=who, undone=False)
        return self.session.execute(actions.order_by(ACTIONS.c.id.desc()).limit(1)).first()

    def change(
        self,
        who: str,
        what: str = "",
        *,
        items: Mapping[str, Item] | None = None,
        marks: Mapping[str, Mark] | None = None,
        changed: Iterable[str] = (),
    ) -> None:
        """Write items and marks, and the points and comments that follow.

        Args:
            what: the action in words, for `undo`; "" if it cannot be undone.
            changed: students whose answer still has to be looked at.
        """
        items, marks, now = items or {}, marks or {}, datetime.now(UTC).isoformat(timespec="seconds")
        answers = {student: self.sheet.answers[student] for student in marks}
        before = _Change(
            {name: self.items.get(name) for name in items},
            {student: answer.mark for student, answer in answers.items()},
            [student for student, answer in answers.items() if answer.changed],
        )
        for item in items.values():
            self._write_item(item)
        self.items |= items
        for answer in self.sheet.answers.values():
            if answer.who and any(name in items for name in answer.mark.items):
                self._write_mark(answer, answer.mark, answer.who)
        for student, answer in answers.items():
            answer = replace(answer, changed=student in changed, at=now)
            self._write_mark(answer, marks[student], who)
        if what:
            texts = (msgspec.json.encode(one).decode() for one in (before, _Change(dict(items), dict(marks))))
            row = dict(zip(("before", "after"), texts, strict=True), who=who, at=now, what=what, undone=False)
            self.session.execute(insert(ACTIONS), [self._key | row])

    def _write_item(self, item: Item) -> None:
        table, values = RUBRIC_ITEMS, asdict(item)
        if item.id in self.items:
            self.session.execute(update(table).filter_by(id=item.id).values(values))
        else:
            position = self.session.scalar(select(func.coalesce(func.max(table.c.place), 0))) + 1
            self.session.execute(insert(table), [self._key | values | {"place": position}])

    def _write_mark(self, answer: AnswerState, mark: Mark, who: str) -> None:
        """Write an answer's mark, and the points and the comment that follow."""
        row, written = answer._row, self._question.written
        if row.comment_row is None:
            raise CourseError(
                "The gradebook has no row for this answer. Run `course grade` for this week again."
            )
        items = {name: item for name, item in self.items.items() if not item.gone}
        points = mark.score(items, self._question.max_score) if written else None
        comment = mark.text(items) or None
        if written:
            waits = answer.changed or (points is None and row.auto_score is None)
            grade = update(Grade).where(Grade.id == row.grade_row)
            self.session.execute(grade.values(manual_score=points, needs_manual_grade=waits))
        self.session.execute(
            update(Comment).where(Comment.id == row.comment_row).values(manual_comment=comment)
        )
        key = {"notebook_id": row.notebook_row, "question": self._question.id}
        self.session.execute(delete(MARKS).filter_by(**key))
        values = {"item_ids": json.dumps(mark.items), "points": mark.points, "comment": mark.comment}
        values |= {"wrote_points": points, "wrote_comment": comment, "who": who, "at": answer.at}
        self.session.execute(insert(MARKS), [key | values])


def _answers(week: Week, question: Question) -> Any:
    """Return the statement that selects all answers to a question from nbgrader's tables and ours."""
    notebook = notebook_of(week)

    def cell(kind: Any) -> Any:
        return select(kind.id).where(kind.notebook_id == notebook, kind.name == question.id).scalar_subquery()

    def of_cell(kind: Any, cell_kind: Any) -> Any:
        return and_(kind.notebook_id == SubmittedNotebook.id, kind.cell_id == cell(cell_kind))

    return (
        select(
            SubmittedAssignment.student_id,
            SubmittedNotebook.id.label("notebook_row"),
            Grade.id.label("grade_row"),
            *(Grade.auto_score, Grade.manual_score, Grade.extra_credit, Grade.needs_manual_grade),
            Comment.id.label("comment_row"),
            Comment.manual_comment,
            RECORDED.c.submission,
            *(MARKS.c["item_ids", "points", "comment", "wrote_points", "wrote_comment", "who", "at"]),
        )
        .select_from(SubmittedNotebook)
        .join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .outerjoin(Grade, of_cell(Grade, GradeCell))
        .outerjoin(Comment, of_cell(Comment, SolutionCell))
        .outerjoin(RECORDED, RECORDED.c.notebook_id == SubmittedNotebook.id)
        .outerjoin(MARKS, and_(MARKS.c.notebook_id == SubmittedNotebook.id, MARKS.c.question == question.id))
        .where(SubmittedNotebook.notebook_id == notebook)
        .order_by(SubmittedAssignment.student_id)
    )


def _answer_state(row: Any, items: Mapping[str, Item]) -> AnswerState:
    comment = row.manual_comment or ""
    ours = row.who is not None and (row.wrote_points, row.wrote_comment or "") == (row.manual_score, comment)
    # Else it was marked in the formgrader, or not at all.
    mark = (
        Mark(tuple(json.loads(row.item_ids)), row.points, row.comment)
        if ours
        else Mark((), row.manual_score, comment)
    )
    seen = [row.manual_score, row.auto_score, row.needs_manual_grade, comment, row.submission]
    return AnswerState(
        student=row.student_id,
        mark=mark,
        points=row.manual_score if row.manual_score is not None else row.auto_score,
        changed=bool(row.needs_manual_grade) and row.manual_score is not None,
        extra=row.extra_credit or 0.0,
        who=row.who if ours else "",
        at=row.at if ours else "",
        version=_digest([asdict(mark), *seen, [items[name].line for name in mark.items if name in items]]),
        _row=row,
    )


def _digest(values: Any) -> str:
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:16]
