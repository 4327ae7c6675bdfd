"""The database under nbgrader's gradebook: which one, how it is opened, who may write when.

nbgrader's own setting says which: `c.CourseDirectory.db_url` in nbgrader_config.py. Without it, it is the file
gradebook.db in the course folder. SQLite and PostgreSQL are supported; docs/gradebook.md is for instructors.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, NullPool, create_engine, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, NoSuchModuleError, OperationalError
from sqlalchemy.orm import Session

from coursekit.course.config import Course
from coursekit.engine.shared.errors import CourseError
from coursekit.files import temporary_path
from coursekit.gradebook.convert import read_config

# nbgrader's name, in its API and its migrations, for a course without a course_id.
DEFAULT_COURSE = "default_course"
LOCK_SECONDS = 30  # to wait for another writer
CONNECT_SECONDS = 10  # to wait for a server that does not answer at all
DAMAGED = (
    "is damaged. Restore a copy, or move it away: `course grade` makes a new one, without marks given by hand"
)
# {the beginning of SQLite's name for an error: what it means and what to do}
SQLITE_ERRORS = {
    "SQLITE_BUSY": f"has been in use by another program for {LOCK_SECONDS} s. Close that program",
    "SQLITE_READONLY": "cannot be written to. Make it and its folder writable",
    "SQLITE_CANTOPEN": "cannot be opened. Make it and its folder readable and writable",
    "SQLITE_FULL": "cannot grow: the disk is full. Free some space",
    "SQLITE_IOERR": "cannot be read or written (an error of the disk, or a full one)",
    "SQLITE_NOTADB": DAMAGED,
    "SQLITE_CORRUPT": DAMAGED,
}
_TABLES_LOCK = 0x636F75727365  # the key of PostgreSQL's advisory lock: one process makes the tables
# PostgreSQL's codes for errors that an instructor can correct, although SQLAlchemy takes them for a mistake in the
# program: no permission, read only, no such table, no such column.
_CORRECTABLE = ("42501", "25006", "42P01", "42703")


def locate(course: Course) -> URL:
    """Return the SQLAlchemy URL of the course's gradebook.

    Raises:
        CourseError: nbgrader_config.py or its setting cannot be used, or the driver is not installed.
    """
    root = course.root.resolve()
    setting = read_config(root).CourseDirectory.db_url
    try:
        url = make_url(setting) if isinstance(setting, str) else URL.create("sqlite", database="gradebook.db")
        kind = url.get_backend_name()
        # The message must not quote the setting: it may hold a password.
        if kind not in ("sqlite", "postgresql") or not url.database or "@" in (url.host or ""):
            raise ValueError
        url.get_dialect().import_dbapi()
    except (ArgumentError, NoSuchModuleError, ValueError):
        raise CourseError(
            "c.CourseDirectory.db_url in nbgrader_config.py cannot be used. It is sqlite:///FILE or "
            "postgresql+psycopg://USER@HOST/DATABASE; see docs/gradebook.md."
        ) from None
    except ImportError as error:
        raise CourseError(
            f"The gradebook is on PostgreSQL, and its driver cannot be loaded here ({error}). "
            "Install it: pip install 'coursekit[postgres]'"
        ) from error
    if kind == "sqlite":  # nbgrader is started in the course folder, so a relative path begins there
        url = url.set(database=str(root / url.database))
        return url.update_query_dict({"timeout": str(LOCK_SECONDS)})
    return url.set(query={"connect_timeout": str(CONNECT_SECONDS)} | url.query)


def display_name(url: URL) -> str:
    """Return a gradebook's name for messages: without a password, and without options, which may hold one."""
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    return URL.create(
        "postgresql", url.username, host=url.host, port=url.port, database=url.database
    ).render_as_string()


@contextmanager
def open_gradebook(course: Course) -> Iterator[Any]:
    """Open nbgrader's Gradebook of the course, and make its tables if they are missing.

    Yields:
        nbgrader.api.Gradebook; its session has not begun to read.

    Raises:
        CourseError: the database cannot be used, or stays locked for LOCK_SECONDS.
    """
    setting = read_config(course.root.resolve()).CourseDirectory.course_id
    course_id = isinstance(setting, str) and setting.strip() or DEFAULT_COURSE
    url = locate(course)
    with _course_errors(url):
        with _one_at_a_time(url, course_id):
            book = _nbgrader(url, course_id)
        try:
            yield book
        finally:
            book.close()


def check_writable(course: Course) -> str:
    """Check that the gradebook can be written, if it exists, and return a sentence that names it. Nothing is kept.

    Raises:
        CourseError: it cannot be written.
    """
    url = locate(course)
    sqlite = url.get_backend_name() == "sqlite"
    if sqlite and not Path(str(url.database)).exists():
        return "The gradebook is SQLite; `course release` makes the file."
    with _course_errors(url), create_engine(url, poolclass=NullPool).connect() as connection:
        if sqlite:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        connection.exec_driver_sql("CREATE TABLE coursekit_trial (tried INTEGER)")
        connection.rollback()
    return f"The gradebook is {'SQLite' if sqlite else 'PostgreSQL'} and can be written: {display_name(url)}"


@contextmanager
def _course_errors(url: URL) -> Iterator[None]:
    """Raise a CourseError for a database that cannot be used; let through what a mistake in this program raises."""
    try:
        yield
    except DatabaseError as error:
        # From the outside (a lock, the disk, the server), or from a mistake here?
        outside = isinstance(error, OperationalError) or type(error) is DatabaseError
        if not outside and getattr(error.orig, "sqlstate", None) not in _CORRECTABLE:
            raise
        reason = " ".join(str(error.orig).split()).rstrip(".")
        if url.get_backend_name() == "sqlite":
            code = getattr(error.orig, "sqlite_errorname", "")
            meanings = [text for key, text in SQLITE_ERRORS.items() if code.startswith(key)]
            what = meanings[0] if meanings else "cannot be used"
            raise CourseError(
                f"{display_name(url)} {what}, and run the same command again ({reason})."
            ) from error
        raise CourseError(
            f"{display_name(url)} cannot be used ({reason}). Nothing was written. Results are safe in autograded/: "
            "when the database answers, the same command records them."
        ) from error


def _nbgrader(url: URL, course_id: str) -> Any:
    """Return nbgrader's Gradebook, which makes its tables if they are missing."""
    from nbgrader import api

    api.get_alembic_version = _alembic_head
    book = api.Gradebook(url, course_id)
    book.db.remove()
    return book


def _alembic_head() -> str:
    """Return the version with which nbgrader stamps a new database. nbgrader's command for this takes 2 s."""
    from alembic.script import ScriptDirectory
    from nbgrader.dbutil import ALEMBIC_DIR

    return str(ScriptDirectory(ALEMBIC_DIR).get_current_head())


@contextmanager
def _one_at_a_time(url: URL, course_id: str) -> Iterator[None]:
    """Keep two processes from making the tables at the same time, which nbgrader does not prevent.

    On SQLite the file is made under another name and linked when complete: a killed process leaves no half-made one.
    """
    if url.get_backend_name() == "sqlite":
        path = Path(str(url.database))
        if not path.exists():
            part = temporary_path(path)
            try:
                _nbgrader(url.set(database=str(part)), course_id).close()
                os.link(part, path)  # unlike a rename, it does not replace another process's file
            except FileExistsError:
                pass  # another process was quicker
            except OSError as error:
                raise CourseError(f"{path} cannot be made: {error.strerror}.") from error
            finally:
                for leftover in (part, part.with_name(f"{part.name}-journal")):
                    leftover.unlink(missing_ok=True)
        yield
        return
    with create_engine(url, poolclass=NullPool).begin() as connection:
        _limit_waiting(connection)
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_TABLES_LOCK})")
        yield


def _limit_waiting(connection: Connection) -> None:
    connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'")


@contextmanager
def writing(book: Any) -> Iterator[Session]:
    """Yield a session. From its first read to its commit nobody else can write, but others can read.

    On PostgreSQL all of nbgrader's tables are locked, which also keeps out the formgrader: it asks for no lock of ours.
    They are locked in the order in which nbgrader inserts, so two writers do not wait in a circle.
    """
    session: Session = book.db()
    try:
        connection = session.connection()
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            from nbgrader.api import Base

            _limit_waiting(connection)
            quoted = connection.dialect.identifier_preparer.format_table
            tables = ", ".join(map(quoted, Base.metadata.sorted_tables))
            connection.exec_driver_sql(f"LOCK TABLE {tables} IN SHARE ROW EXCLUSIVE MODE")
        yield session
        session.commit()
    except BaseException:
        session.rollback()
        raise
    finally:
        book.db.remove()


@contextmanager
def reading(book: Any) -> Iterator[Session]:
    """Yield a session whose queries all see the same moment, even while others write. Nobody waits for it."""
    session: Session = book.db()
    try:
        connection = session.connection()
        sqlite = connection.dialect.name == "sqlite"
        connection.exec_driver_sql(
            "BEGIN" if sqlite else "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
        )
        yield session
    finally:
        book.db.remove()
