"""The one table that is added to nbgrader's, and rows in bulk, past nbgrader's objects."""

from collections.abc import Iterator
from typing import Any


def recorded_table():
    from sqlalchemy import Column, MetaData, String, Table

    return Table(
        "coursekit_submission",
        MetaData(),
        Column("notebook_id", String(32), primary_key=True),  # submitted_notebook.id
        Column("status", String(32), nullable=False),
        Column("submission", String(64), nullable=False),  # the submission's hash
        Column("flags", String(64), nullable=False),  # digest of the flags and the submission
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
