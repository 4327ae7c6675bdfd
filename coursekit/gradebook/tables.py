"""The tables that are added to nbgrader's, and rows in bulk, past nbgrader's objects."""

from collections.abc import Iterator
from typing import Any

from coursekit.course.config import Week


def recorded_table():
    """What was last recorded for a submission."""
    from sqlalchemy import Column, MetaData, String, Table

    return Table(
        "coursekit_submission",
        MetaData(),
        Column("notebook_id", String(32), primary_key=True),  # submitted_notebook.id
        Column("status", String(32), nullable=False),
        Column("submission", String(64), nullable=False),  # the submission's hash
        Column("flags", String(64), nullable=False),  # digest of the flags and the submission
    )


def items_table():
    """The rubric items of all questions."""
    from sqlalchemy import Boolean, Column, Float, Integer, MetaData, String, Table, Text

    return Table(
        "coursekit_rubric_item",
        MetaData(),
        Column("id", String(32), primary_key=True),
        Column("week", String(128), nullable=False, index=True),
        Column("question", String(128), nullable=False),
        Column("place", Integer, nullable=False),  # the order in which they were made
        Column("text", Text, nullable=False),
        Column("points", Float, nullable=False),
        Column("gone", Boolean, nullable=False),
    )


def given_table():
    """What a person gave an answer, and what was then written where nbgrader has points and comments.

    Where nbgrader has something else now, somebody changed it there, and that holds.
    """
    from sqlalchemy import Column, Float, MetaData, String, Table, Text

    return Table(
        "coursekit_given",
        MetaData(),
        Column("notebook_id", String(32), primary_key=True),
        Column("question", String(128), primary_key=True),
        Column("item_ids", Text, nullable=False),  # JSON
        Column("points", Float),
        Column("comment", Text, nullable=False),
        Column("wrote_points", Float),
        Column("wrote_comment", Text),
        Column("who", String(64), nullable=False),
        Column("at", String(32), nullable=False),
    )


def actions_table():
    """What people did while they marked, so that it can be undone."""
    from sqlalchemy import Boolean, Column, Integer, MetaData, String, Table, Text

    return Table(
        "coursekit_action",
        MetaData(),
        Column("id", Integer, primary_key=True),
        Column("week", String(128), nullable=False),
        Column("question", String(128), nullable=False),
        Column("who", String(64), nullable=False),
        Column("at", String(32), nullable=False),
        Column("what", Text, nullable=False),  # a sentence
        Column("before", Text, nullable=False),  # JSON
        Column("after", Text, nullable=False),
        Column("undone", Boolean, nullable=False),
    )


def notebook_of(week: Week):
    """The id of nbgrader's row of a week's notebook, as a part of a statement."""
    from nbgrader.api import Assignment, Notebook
    from sqlalchemy import select

    return (
        select(Notebook.id)
        .join(Assignment, Assignment.id == Notebook.assignment_id)
        .where(Assignment.name == week.name, Notebook.name == week.notebook)
        .scalar_subquery()
    )


def slices(keys: list) -> Iterator[list]:
    """As many at a time as one statement may name: SQLite has a limit on parameters."""
    for start in range(0, len(keys), 500):
        yield keys[start : start + 500]


def insert_rows(session, kind, rows: list[dict]) -> None:
    from sqlalchemy import insert

    if rows:
        session.execute(insert(kind.__table__), rows)


def update_rows(session, kind, rows: list[dict]) -> None:
    """Change the named columns, and no other, of rows given by id."""
    from sqlalchemy import bindparam, update

    if rows:
        table = kind.__table__
        values: dict[str, Any] = {name: bindparam(f"new_{name}") for name in rows[0] if name != "id"}
        session.connection().execute(
            update(table).where(table.c.id == bindparam("key")).values(values),
            [
                {"key": row["id"], **{f"new_{name}": value for name, value in row.items() if name != "id"}}
                for row in rows
            ],
        )
