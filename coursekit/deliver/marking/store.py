"""Rubric items, and what answers were given, in the gradebook.

Points and comments are kept where nbgrader has them, so the formgrader, the students' pages and the export know no
difference. Each function is one transaction, in which nobody else writes: neither another person who marks, nor the
formgrader, nor `course grade`. Whoever has seen an older state is refused with `Conflict`, and nothing is written over.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any

from coursekit.course.config import Course, Week
from coursekit.deliver.marking.rubric import Given, Item
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import Question
from coursekit.gradebook.database import open_gradebook, reading, writing
from coursekit.gradebook.tables import ACTIONS, GIVEN, RECORDED, RUBRIC_ITEMS, notebook_of


class Conflict(CourseError):
    """Somebody else has changed it since."""


@dataclass(frozen=True)
class Standing:
    """One student's answer to one question, as the gradebook has it now."""

    student: str
    given: Given
    points: float | None  # what a person gave, or what is certain without one; None: it waits
    changed: bool  # marked, and the submission or what it is graded by has changed since
    extra: float  # points on top, given in the formgrader
    who: str  # who marked it here last; "" if nobody, or if it was changed in the formgrader since
    at: str  # when, in UTC
    version: str  # of all that this person has to have seen
    _keys: Mapping[str, Any]  # the rows that it is made of

    @property
    def waits(self) -> bool:
        return self.points is None or self.changed


@dataclass(frozen=True)
class Sheet:
    """A question's rubric, and all answers to it by student, as one person sees them."""

    items: dict[str, Item]  # in the order in which they were made
    standings: dict[str, Standing]
    undoable: str = ""  # what `undo` would take back, in words; "" where there is nothing of this person's

    @property
    def version(self) -> str:
        """Of the rubric."""
        return _digest([asdict(item) for item in self.items.values()])

    def uses(self, item: Item) -> int:
        return sum(item.id in standing.given.items for standing in self.standings.values())


def prepare(course: Course) -> None:
    """Make the tables where there are none.

    Raises:
        CourseError: the gradebook cannot be used.
    """
    with open_gradebook(course) as book, writing(book) as session:
        for table in (RECORDED, RUBRIC_ITEMS, GIVEN, ACTIONS):
            table.create(session.connection(), checkfirst=True)


def read(course: Course, week: Week, question: Question, who: str = "") -> Sheet:
    """What is there, for `who`.

    Raises:
        CourseError: the gradebook cannot be used.
    """
    with open_gradebook(course) as book, reading(book) as session:
        sheet, last = _read(session, week, question), _last(session, week, question, who)
        return replace(sheet, undoable=last.what if last is not None else "")


def read_week(course: Course, week: Week, questions: Iterable[Question]) -> list[Sheet]:
    """What is there for each of these questions, at one moment.

    Raises:
        CourseError: the gradebook cannot be used.
    """
    with open_gradebook(course) as book, reading(book) as session:
        return [_read(session, week, question) for question in questions]


def mark(
    course: Course, week: Week, question: Question, who: str, student: str, seen: str, given: Given
) -> None:
    """Give an answer this, and nothing else.

    Args:
        seen: the version of the standing that this decision rests on.

    Raises:
        Conflict: it is no longer that.
        CourseError: there is no such answer or item.
    """
    with _changing(course, week, question) as (session, sheet):
        standing = _known(sheet, student)
        if standing.version != seen:
            raise Conflict(_since(standing))
        unknown = [name for name in given.items if name not in sheet.items]
        if unknown:
            raise Conflict("A rubric item that you gave has been removed since. Look at the rubric again.")
        _give(session, question, sheet, {student: given}, who)
        _remember(session, week, question, who, "the last mark", given_by={student: (standing, given)})


def give_to_all(
    course: Course, week: Week, question: Question, who: str, item: str, students: list[str]
) -> int:
    """Give an item to several answers, beside what they have.

    Returns:
        How many did not have it.

    Raises:
        CourseError: there is no such answer or item.
    """
    with _changing(course, week, question) as (session, sheet):
        if item not in sheet.items:
            raise Conflict("This rubric item has been removed since. Look at the rubric again.")
        standings = [_known(sheet, student) for student in students]
        new = {
            standing.student: replace(standing.given, items=(*standing.given.items, item))
            for standing in standings
            if item not in standing.given.items
        }
        changed = [student for student in new if sheet.standings[student].changed]
        _give(session, question, sheet, new, who, changed)
        given_by = {student: (sheet.standings[student], given) for student, given in new.items()}
        _remember(session, week, question, who, f"an item for {len(new)} answers", given_by=given_by)
        return len(new)


def write_item(course: Course, week: Week, question: Question, who: str, item: Item, seen: str) -> None:
    """Make an item, or change it for all that have it.

    Args:
        item: as it should be; with `gone`, it is taken from all that have it.
        seen: its version when this was decided; "" for a new one.

    Raises:
        Conflict: it has changed since.
        CourseError: it says what another says.
    """
    with _changing(course, week, question) as (session, sheet):
        before = sheet.items.get(item.id)
        if (before.version if before is not None else "") != seen:
            raise Conflict("Somebody else has changed this rubric item since. Look at it again.")
        if any(other.id != item.id and other.line == item.line for other in sheet.items.values()):
            raise Conflict("There is already a rubric item with this text.")
        _put_items(session, week, question, sheet, {item.id: item})
        what = "the new item" if before is None else "the removal" if item.gone else "the change of an item"
        _remember(session, week, question, who, what, items={item.id: (before, item)})


def undo(course: Course, week: Week, question: Question, who: str) -> str:
    """Take back what this person did last with this question.

    What somebody has changed since stays, and is passed over the next time.

    Returns:
        What that was.

    Raises:
        Conflict: somebody has changed it since.
        CourseError: there is nothing to take back.
    """
    from sqlalchemy import update

    with _changing(course, week, question) as (session, sheet):
        row = _last(session, week, question, who)
        if row is None:
            raise CourseError("There is nothing of yours to take back.")
        before, after = json.loads(row.before), json.loads(row.after)
        everything = _items(session, week, question)
        stands = all(
            everything.get(name) == Item(**values) for name, values in after["items"].items()
        ) and all(
            student in sheet.standings and sheet.standings[student].given == _as_given(values)
            for student, values in after["given"].items()
        )
        if stands:
            items = {
                name: Item(**values) if values else replace(everything[name], gone=True)
                for name, values in before["items"].items()
            }
            _put_items(session, week, question, sheet, items)
            given = {student: _as_given(values) for student, values in before["given"].items()}
            _give(session, question, sheet, given, who, before["changed"])
        actions = ACTIONS
        session.execute(update(actions).where(actions.c.id == row.id).values(undone=True))
    if not stands:
        raise Conflict(f"Somebody else has changed this since, so it was not undone: {row.what}.")
    return str(row.what)


# How it is kept in the tables


@contextmanager
def _changing(course: Course, week: Week, question: Question) -> Iterator[tuple[Any, Sheet]]:
    """One transaction, with what is there when it begins."""
    with open_gradebook(course) as book, writing(book) as session:
        yield session, _read(session, week, question)


def _known(sheet: Sheet, student: str) -> Standing:
    standing = sheet.standings.get(student)
    if standing is None:
        raise CourseError("There is no answer of this student. Load the page again.")
    return standing


def _since(standing: Standing) -> str:
    by = f" by {standing.who}" if standing.who else ""
    return f"This answer has been marked or graded again{by} since you saw it. Nothing was written."


def _read(session: Any, week: Week, question: Question) -> Sheet:
    from nbgrader.api import Comment, Grade, GradeCell, SolutionCell, SubmittedAssignment, SubmittedNotebook
    from sqlalchemy import and_, select

    given, recorded = GIVEN, RECORDED
    notebook = notebook_of(week)

    def cell(kind: Any) -> Any:
        return select(kind.id).where(kind.notebook_id == notebook, kind.name == question.id).scalar_subquery()

    rows = session.execute(
        select(
            SubmittedAssignment.student_id,
            SubmittedNotebook.id.label("notebook"),
            Grade.id.label("grade"),
            Grade.auto_score,
            Grade.manual_score,
            Grade.extra_credit,
            Grade.needs_manual_grade,
            Comment.id.label("comment_row"),
            Comment.manual_comment,
            recorded.c.submission,
            *(given.c["item_ids", "points", "comment", "wrote_points", "wrote_comment", "who", "at"]),
        )
        .select_from(SubmittedNotebook)
        .join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .outerjoin(Grade, and_(Grade.notebook_id == SubmittedNotebook.id, Grade.cell_id == cell(GradeCell)))
        .outerjoin(
            Comment, and_(Comment.notebook_id == SubmittedNotebook.id, Comment.cell_id == cell(SolutionCell))
        )
        .outerjoin(recorded, recorded.c.notebook_id == SubmittedNotebook.id)
        .outerjoin(given, and_(given.c.notebook_id == SubmittedNotebook.id, given.c.question == question.id))
        .where(SubmittedNotebook.notebook_id == notebook)
        .order_by(SubmittedAssignment.student_id)
    )
    items = {item.id: item for item in _items(session, week, question).values() if not item.gone}
    return Sheet(items, {row.student_id: _standing(row, items) for row in rows})


def _items(session: Any, week: Week, question: Question) -> dict[str, Item]:
    """All items that were ever made, in that order."""
    from sqlalchemy import select

    table = RUBRIC_ITEMS
    rows = session.execute(
        select(table)
        .where(table.c.week == week.name, table.c.question == question.id)
        .order_by(table.c.place)
    )
    return {row.id: Item(row.id, row.text, row.points, row.gone) for row in rows}


def _standing(row: Any, items: dict[str, Item]) -> Standing:
    comment = row.manual_comment or ""
    ours = row.who is not None and (row.wrote_points, row.wrote_comment or "") == (row.manual_score, comment)
    if ours:
        given = Given(tuple(json.loads(row.item_ids)), row.points, row.comment)
    else:  # marked in the formgrader, or not at all
        given = Given((), row.manual_score, comment)
    points = row.manual_score if row.manual_score is not None else row.auto_score
    seen = [row.manual_score, row.auto_score, row.needs_manual_grade, comment, row.submission]
    return Standing(
        student=row.student_id,
        given=given,
        points=points,
        changed=bool(row.needs_manual_grade) and row.manual_score is not None,
        extra=row.extra_credit or 0.0,
        who=row.who if ours else "",
        at=row.at if ours else "",
        version=_digest([asdict(given), *seen, [items[name].line for name in given.items if name in items]]),
        _keys=row._mapping,
    )


def _give(
    session: Any,
    question: Question,
    sheet: Sheet,
    given: dict[str, Given],
    who: str,
    changed: Sequence[str] = (),
) -> None:
    """Write what these students' answers are given; those in `changed` still have to be looked at."""
    for student, one in given.items():
        standing = replace(sheet.standings[student], changed=student in changed, at=_now())
        _settle(session, question, sheet.items, standing, one, who)


def _put_items(session: Any, week: Week, question: Question, sheet: Sheet, changed: dict[str, Item]) -> None:
    """Write items, and then what all answers that have them get."""
    from sqlalchemy import func, insert, select, update

    table = RUBRIC_ITEMS
    there = _items(session, week, question)
    for item in changed.values():
        values = {"text": item.text, "points": item.points, "gone": item.gone}
        if item.id in there:
            session.execute(update(table).where(table.c.id == item.id).values(values))
        else:
            place = session.scalar(select(func.coalesce(func.max(table.c.place), 0))) + 1
            row = {"id": item.id, "week": week.name, "question": question.id, "place": place}
            session.execute(insert(table), [row | values])
    items = {item.id: item for item in _items(session, week, question).values() if not item.gone}
    for standing in sheet.standings.values():
        if standing.who and any(name in changed for name in standing.given.items):
            # That an answer was looked at since it changed, a changed item does not say.
            _settle(session, question, items, standing, standing.given, standing.who)


def _settle(
    session: Any,
    question: Question,
    items: dict[str, Item],
    standing: Standing,
    given: Given,
    who: str,
) -> None:
    """Write what an answer was given, and the points and the comment that this makes."""
    from nbgrader.api import Comment, Grade
    from sqlalchemy import delete, insert, update

    keys = standing._keys
    if keys["comment_row"] is None:
        raise CourseError("The gradebook has no row for this answer. Run `course grade` for this week again.")
    points = given.score(items, question.max_score) if question.written else None
    comment = given.text(items) or None
    if question.written:
        waits = standing.changed or (points is None and keys["auto_score"] is None)
        values = {"manual_score": points, "needs_manual_grade": waits}
        session.execute(update(Grade.__table__).where(Grade.__table__.c.id == keys["grade"]).values(values))
    table = Comment.__table__
    session.execute(
        update(table).where(table.c.id == keys["comment_row"]).values({"manual_comment": comment})
    )
    table = GIVEN
    session.execute(
        delete(table).where(table.c.notebook_id == keys["notebook"], table.c.question == question.id)
    )
    row = {
        "notebook_id": keys["notebook"],
        "question": question.id,
        "item_ids": json.dumps(given.items),
        "points": given.points,
        "comment": given.comment,
        "wrote_points": points,
        "wrote_comment": comment,
        "who": who,
        "at": standing.at,
    }
    session.execute(insert(table), [row])


def _remember(
    session: Any,
    week: Week,
    question: Question,
    who: str,
    what: str,
    *,
    items: Mapping[str, tuple[Item | None, Item]] | None = None,
    given_by: Mapping[str, tuple[Standing, Given]] | None = None,
) -> None:
    from sqlalchemy import insert

    before: dict[str, Any] = {"items": {}, "given": {}, "changed": []}
    after: dict[str, Any] = {"items": {}, "given": {}}
    for name, (old, new) in (items or {}).items():
        before["items"][name] = asdict(old) if old is not None else None
        after["items"][name] = asdict(new)
    for student, (standing, given) in (given_by or {}).items():
        before["given"][student] = asdict(standing.given)
        before["changed"] += [student] if standing.changed else []
        after["given"][student] = asdict(given)
    row: dict[str, Any] = {"week": week.name, "question": question.id, "who": who, "at": _now(), "what": what}
    row |= {"before": json.dumps(before), "after": json.dumps(after), "undone": False}
    session.execute(insert(ACTIONS), [row])


def _last(session: Any, week: Week, question: Question, who: str) -> Any:
    from sqlalchemy import select

    table = ACTIONS
    mine = (table.c.week == week.name, table.c.question == question.id, table.c.who == who)
    return session.execute(
        select(table).where(*mine, table.c.undone.is_(False)).order_by(table.c.id.desc()).limit(1)
    ).first()


def _as_given(values: dict[str, Any]) -> Given:
    return Given(tuple(values["items"]), values["points"], values["comment"])


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _digest(values: Any) -> str:
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:16]
