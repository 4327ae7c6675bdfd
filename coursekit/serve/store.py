"""What was handed in: `hand_ins/` in the course folder, with a row for each hand-in in SQLite and its bytes beside it.

A row is the queue: it is waiting until the grader takes it, and each ends as graded, replaced or failed. The bytes are
on the disk, and the row is committed, before anybody gets a receipt; both survive the loss of power.

    hand_ins/hand_ins.db        tables `hand_ins`, `codes`, `sessions` and `settings`
    hand_ins/files/<sha256>     what was handed in
    hand_ins/results/<id>/      the result of one hand-in, laid out as autograded/
"""

import fcntl
import hashlib
import os
import secrets
import shutil
import sqlite3
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from coursekit.course.config import BEST_ON_TIME, Course, HandIns
from coursekit.engine.coordinator.submission import RECEIPT_DIGITS
from coursekit.engine.shared.errors import CourseError
from coursekit.files import write_atomically
from coursekit.serve.policy import attempts

FOLDER = "hand_ins"  # in the course folder; git ignores it
FREE_BYTES = 200 << 20  # of the disk that hand-ins leave, so that the database can be written
TOO_OFTEN = 6  # times the attempts: more hand-ins within an hour, with those that were replaced, are refused
TRIES = 5  # of a hand-in on which the grader failed; then it has failed
DEATHS = 20  # of this process while it graded a hand-in; then that has failed, too

WAITING: Final = "waiting"
GRADING: Final = "grading"
GRADED: Final = "graded"
REPLACED: Final = "replaced"  # by a newer one of the same student, while it was waiting
FAILED: Final = "failed"  # by a fault of ours: it costs no attempt
ENDED: Final = (GRADED, REPLACED, FAILED)

PAUSED: Final = "paused"  # the setting that is not empty while nothing is taken from the queue
MESSAGE: Final = "message"  # to the class

NEW: Final = 0  # the lanes of the queue: the lowest goes first
REGRADE: Final = 1
AGAIN: Final = 2  # the machine may have been the reason for a time limit that was met

_SCHEMA = """
CREATE TABLE IF NOT EXISTS hand_ins (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    student TEXT NOT NULL,
    week TEXT NOT NULL,
    digest TEXT NOT NULL,
    size INTEGER NOT NULL,
    received_at TEXT NOT NULL,
    state TEXT NOT NULL,
    lane INTEGER NOT NULL DEFAULT 0,
    tries INTEGER NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT '',
    ended_at TEXT,
    score REAL,
    max_score REAL,
    waiting INTEGER NOT NULL DEFAULT 0,
    answered INTEGER NOT NULL DEFAULT 0,
    questions INTEGER NOT NULL DEFAULT 0,
    delivered INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX IF NOT EXISTS of_student ON hand_ins (student, week, number);
CREATE INDEX IF NOT EXISTS queue ON hand_ins (state, lane, number);
CREATE TABLE IF NOT EXISTS codes (student TEXT PRIMARY KEY, digest BLOB NOT NULL UNIQUE, made_at TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS sessions (
    digest BLOB PRIMARY KEY,
    student TEXT NOT NULL REFERENCES codes (student) ON DELETE CASCADE,
    expires_at TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
"""


@dataclass(frozen=True, slots=True)
class HandIn:
    """One attempt at a week.

    Attributes:
        number: in the order of arrival.
        id: random, for addresses.
        digest: sha256 of the bytes.
        lane: NEW, REGRADE or AGAIN.
        tries: how often it was taken from the queue.
        reason: why it failed, as a sentence.
        score, max_score: of its tests, once it was graded.
        waiting: written answers that a person has to grade.
        answered, questions: how many of the week's questions have an answer.
        delivered: whether it was seen to that the one that counts is in submitted/, autograded/ and the gradebook.
    """

    number: int
    id: str
    student: str
    week: str
    digest: str
    size: int
    received_at: datetime
    state: str
    lane: int
    tries: int
    reason: str
    ended_at: datetime | None
    score: float | None
    max_score: float | None
    waiting: int
    answered: int
    questions: int
    delivered: bool

    @property
    def receipt(self) -> str:
        """The digits that the notebook shows, too."""
        return self.digest[:RECEIPT_DIGITS]

    @property
    def costs_attempt(self) -> bool:
        return self.state not in (REPLACED, FAILED)

    @property
    def ended(self) -> bool:
        return self.state in ENDED


class NoAttempts(CourseError):
    """A student has handed in as often as allowed, until `next_at`."""

    def __init__(self, next_at: datetime) -> None:
        super().__init__("You have used up your attempts for now.")
        self.next_at = next_at


class Store:
    """The hand-ins of a course. All methods may be called by any thread.

    Raises:
        CourseError: the folder or the database cannot be used.
    """

    def __init__(self, root: Path) -> None:
        self.folder = root / FOLDER
        self._lock = threading.Lock()
        self._receiving = (
            threading.Lock()
        )  # files must not go while the same bytes arrive from another student
        try:
            (self.folder / "files").mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                self.folder / "hand_ins.db", isolation_level=None, check_same_thread=False
            )
            self._connection.row_factory = sqlite3.Row
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.execute("PRAGMA foreign_keys = ON")
            self._connection.execute("PRAGMA busy_timeout = 10000")
            self._connection.executescript(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise CourseError(f"{self.folder} cannot be used: {error}.") from error

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    @contextmanager
    def only_server(self) -> Iterator[None]:
        """Hold the folder for this process, which ends with it however it ends.

        Raises:
            CourseError: another server holds it.
        """
        descriptor = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(descriptor)
            raise CourseError(
                f"Another `course serve` uses {self.folder}. Stop that one first: a course has one server."
            ) from error
        try:
            yield
        finally:
            os.close(descriptor)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Run what is in the block as one transaction, which is on the disk when the block has ended."""
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                try:
                    yield self._connection
                except BaseException:
                    self._connection.execute("ROLLBACK")
                    raise
                self._connection.execute("COMMIT")
            except sqlite3.Error as error:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise CourseError(f"{self.folder / 'hand_ins.db'} cannot be written: {error}.") from error

    def _read(self, statement: str, *values: Any) -> list[sqlite3.Row]:
        with self._lock:
            try:
                return self._connection.execute(statement, values).fetchall()
            except sqlite3.Error as error:
                raise CourseError(f"{self.folder / 'hand_ins.db'} cannot be read: {error}.") from error

    # Hand-ins.

    def receive(
        self,
        student: str,
        week: str,
        data: bytes,
        now: datetime,
        settings: HandIns,
        is_on_time: Callable[[datetime], bool],
    ) -> tuple[HandIn, bool]:
        """Keep what a student hands in, and return its row and whether it is new.

        The same bytes again are the same hand-in. One of the student's that is still waiting is replaced, unless it
        was on time and this one is not.

        Raises:
            NoAttempts: the student has none left.
            CourseError: it cannot be written.
            OSError: the bytes cannot be written.
        """
        digest = hashlib.sha256(data).hexdigest()
        with self._transaction() as connection:
            rows = connection.execute(
                "SELECT * FROM hand_ins WHERE student = ? AND week = ? ORDER BY number", (student, week)
            )
            admitted = self._admit([_hand_in(row) for row in rows], digest, now, settings, is_on_time)
            if isinstance(admitted, HandIn):
                return admitted, False
            if shutil.disk_usage(self.folder).free < FREE_BYTES + len(data):
                raise CourseError(f"Nothing more is taken: the disk of {self.folder} is nearly full.")
            self._write(digest, data)
            for one in admitted:
                connection.execute(
                    "UPDATE hand_ins SET state = ?, ended_at = ? WHERE number = ?",
                    (REPLACED, now.isoformat(), one.number),
                )
            name = secrets.token_urlsafe(12)
            connection.execute(
                "INSERT INTO hand_ins (id, student, week, digest, size, received_at, state) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                (name, student, week, digest, len(data), now.isoformat(), WAITING),
            )
            row = connection.execute("SELECT * FROM hand_ins WHERE id = ?", (name,)).fetchone()
        self._drop_files(admitted)
        return _hand_in(row), True

    def _drop_files(self, replaced: list[HandIn]) -> None:
        """Remove what was handed in with these rows, unless another row has the same bytes."""
        with self._transaction() as connection:  # so that the same bytes do not arrive in the meantime
            for one in replaced:
                same = "SELECT 1 FROM hand_ins WHERE digest = ? AND state != ? LIMIT 1"
                if connection.execute(same, (one.digest, REPLACED)).fetchone() is None:
                    self.file(one.digest).unlink(missing_ok=True)

    @staticmethod
    def _admit(
        earlier: list[HandIn],
        digest: str,
        now: datetime,
        settings: HandIns,
        is_on_time: Callable[[datetime], bool],
    ) -> "HandIn | list[HandIn]":
        """Return the hand-in that these bytes are already, or those that a new one replaces.

        Raises:
            NoAttempts: the student has none left, or hands in far too often, counting what was replaced.
        """
        # Under the other rules, what was handed in last counts, also if it was handed in before that.
        candidates = earlier if settings.counts == BEST_ON_TIME else earlier[-1:]
        for hand_in in reversed(candidates):
            if hand_in.digest == digest and hand_in.costs_attempt:
                return hand_in
        hour = timedelta(hours=1)
        recent = [one.received_at for one in earlier if timedelta(0) <= now - one.received_at < hour]
        if len(recent) >= TOO_OFTEN * settings.attempts:
            raise NoAttempts(recent[0] + hour)
        replaced = [
            one
            for one in earlier
            if (one.state, one.lane) == (WAITING, NEW) and is_on_time(one.received_at) == is_on_time(now)
        ]
        used = [one.received_at for one in earlier if one.costs_attempt and one not in replaced]
        left = attempts(used, now, settings)
        if left.left < 1 and left.next_at:
            raise NoAttempts(left.next_at)
        return replaced

    def _write(self, digest: str, data: bytes) -> None:
        """Write bytes under their sha256, so that they are there after a loss of power, too."""
        path = self.file(digest)
        if path.exists():
            return
        write_atomically(path, data)
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def file(self, digest: str) -> Path:
        """Return the path of what was handed in."""
        return self.folder / "files" / digest

    def with_results(self, course: Course, hand_in: HandIn) -> Course:
        """Return the course with the folder of one hand-in's result in place of autograded/."""
        return replace(course, results_folder=self.folder / "results" / hand_in.id)

    def get(self, name: str) -> HandIn | None:
        """Return the hand-in with this id."""
        rows = self._read("SELECT * FROM hand_ins WHERE id = ?", name)
        return _hand_in(rows[0]) if rows else None

    def of(self, student: str, week: str = "") -> list[HandIn]:
        """Return a student's hand-ins, of one week or of all, in the order of their arrival."""
        rows = self._read(
            "SELECT * FROM hand_ins WHERE student = ? AND ? IN (week, '') ORDER BY number", student, week
        )
        return [_hand_in(row) for row in rows]

    def in_state(self, *states: str) -> list[HandIn]:
        """Return all hand-ins in these states, in the order of their arrival."""
        marks = ", ".join("?" * len(states))
        rows = self._read(f"SELECT * FROM hand_ins WHERE state IN ({marks}) ORDER BY number", *states)
        return [_hand_in(row) for row in rows]

    def undelivered(self) -> list[HandIn]:
        """Return the graded hand-ins of which it was not seen to that what counts is where it belongs."""
        rows = self._read("SELECT * FROM hand_ins WHERE state = ? AND NOT delivered ORDER BY number", GRADED)
        return [_hand_in(row) for row in rows]

    def counts(self) -> dict[str, int]:
        """Return {state: number of hand-ins}."""
        return {
            row["state"]: row["n"]
            for row in self._read("SELECT state, count(*) AS n FROM hand_ins GROUP BY state")
        }

    def ahead(self, hand_in: HandIn) -> int:
        """Return how many hand-ins are graded before this one, with those that are being graded."""
        (row,) = self._read(
            "SELECT count(*) AS n FROM hand_ins WHERE number != ? AND "
            "(state = ? OR (state = ? AND (lane, number) < (?, ?)))",
            *(hand_in.number, GRADING, WAITING, hand_in.lane, hand_in.number),
        )
        return int(row["n"])

    def take(self, last_lane: int = AGAIN, without: Collection[str] = ()) -> HandIn | None:
        """Take the first hand-in from the queue; None if there is none.

        None is taken of a student who has one that is being graded: nobody occupies all places.

        Args:
            last_lane: none is taken from the lanes behind it.
            without: weeks of which none is taken.
        """
        marks = ", ".join("?" * len(without))
        with self._transaction() as connection:
            row = connection.execute(
                f"SELECT * FROM hand_ins WHERE state = ? AND lane <= ? AND week NOT IN ({marks}) "
                "AND student NOT IN (SELECT student FROM hand_ins WHERE state = ?) "
                "ORDER BY lane, number LIMIT 1",
                (WAITING, last_lane, *without, GRADING),
            ).fetchone()
            if row is None:
                return None
            connection.execute(
                "UPDATE hand_ins SET state = ?, tries = tries + 1 WHERE number = ?", (GRADING, row["number"])
            )
            taken = connection.execute("SELECT * FROM hand_ins WHERE number = ?", (row["number"],)).fetchone()
        return _hand_in(taken)

    def put_back(self, hand_in: HandIn, lane: int, tried: bool = False) -> None:
        """Let a hand-in that was taken wait again, in this lane; unless it was tried, as if it had not been taken."""
        with self._transaction() as connection:
            connection.execute(
                "UPDATE hand_ins SET state = ?, lane = ?, tries = tries - ? WHERE number = ? AND state = ?",
                (WAITING, lane, not tried, hand_in.number, GRADING),
            )

    def end(
        self, hand_in: HandIn, state: str, reason: str = "", values: Mapping[str, float] | None = None
    ) -> None:
        """Write how a hand-in ended that was taken from the queue; one that has ended already stays as it is.

        Args:
            values: of the columns score, max_score, waiting, answered and questions.
        """
        columns: dict[str, float | str] = {
            "state": state,
            "reason": reason,
            "ended_at": datetime.now(UTC).isoformat(),
        }
        columns |= values or {}
        assignments = ", ".join(f"{name} = ?" for name in columns)
        with self._transaction() as connection:
            connection.execute(
                f"UPDATE hand_ins SET {assignments}, delivered = 0 WHERE number = ? AND state = ?",
                (*columns.values(), hand_in.number, GRADING),
            )

    def set_delivered(self, hand_ins: Iterable[HandIn]) -> None:
        """Note that what counts was put into its place when these rows of graded hand-ins were as they are here."""
        with self._transaction() as connection:
            for hand_in in hand_ins:
                ended_at = hand_in.ended_at.isoformat() if hand_in.ended_at else None
                connection.execute(
                    "UPDATE hand_ins SET delivered = 1 WHERE number = ? AND state = ? AND ended_at = ?",
                    (hand_in.number, GRADED, ended_at),
                )

    def grade_again(self, hand_in: HandIn) -> None:
        """Put a hand-in that has ended into the queue again, behind all new ones."""
        with self._transaction() as connection:
            connection.execute(
                "UPDATE hand_ins SET state = ?, lane = ?, tries = 0 WHERE number = ? AND state IN (?, ?)",
                (WAITING, REGRADE, hand_in.number, GRADED, FAILED),
            )

    def recover(self, but: Collection[int] = ()) -> None:
        """Let what was taken and is graded no more wait again; what was taken DEATHS times has failed.

        Args:
            but: numbers of the hand-ins that are being graded.
        """
        for hand_in in self.in_state(GRADING):
            if hand_in.number in but:
                continue
            if hand_in.tries >= DEATHS:
                reason = f"The grader stopped {DEATHS} times while it graded it. That is not your fault."
                self.end(hand_in, FAILED, reason)
            else:
                with self._transaction() as connection:
                    connection.execute(
                        "UPDATE hand_ins SET state = ? WHERE number = ?", (WAITING, hand_in.number)
                    )

    def latest(self, week: str) -> list[tuple[HandIn, int]]:
        """Return the last hand-in of each student in a week, sorted by student, and how many there were."""
        rows = self._read(
            "SELECT hand_ins.*, n FROM hand_ins JOIN (SELECT max(number) AS last, count(*) AS n FROM hand_ins "
            "WHERE week = ? GROUP BY student) ON number = last ORDER BY student",
            week,
        )
        found = []
        for row in rows:
            values = dict(row)
            number = values.pop("n")
            found.append((_hand_in(values), number))
        return found

    # What staff have set.

    def setting(self, name: str) -> str:
        """Return a setting; "" if it was never made."""
        rows = self._read("SELECT value FROM settings WHERE name = ?", name)
        return rows[0]["value"] if rows else ""

    def set_setting(self, name: str, value: str) -> None:
        with self._transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, value))

    # Codes and sessions, of which only digests are kept.

    def set_codes(self, digests: dict[str, bytes]) -> None:
        """Give students these codes; the codes and sessions that they had are no longer valid."""
        now = datetime.now(UTC).isoformat()
        with self._transaction() as connection:
            for student, digest in digests.items():
                connection.execute("DELETE FROM codes WHERE student = ?", (student,))
                connection.execute("INSERT INTO codes VALUES (?, ?, ?)", (student, digest, now))

    def remove_code(self, student: str) -> bool:
        """Take a student's code away, with all sessions; return whether there was one."""
        with self._transaction() as connection:
            return connection.execute("DELETE FROM codes WHERE student = ?", (student,)).rowcount > 0

    def students_with_code(self) -> set[str]:
        return {row["student"] for row in self._read("SELECT student FROM codes")}

    def student_of_code(self, digest: bytes) -> str | None:
        rows = self._read("SELECT student FROM codes WHERE digest = ?", digest)
        return rows[0]["student"] if rows else None

    def begin_session(self, digest: bytes, student: str, expires_at: datetime) -> None:
        with self._transaction() as connection:
            connection.execute("DELETE FROM sessions WHERE expires_at < ?", (datetime.now(UTC).isoformat(),))
            connection.execute(
                "INSERT INTO sessions VALUES (?, ?, ?)", (digest, student, expires_at.isoformat())
            )

    def end_session(self, digest: bytes) -> None:
        with self._transaction() as connection:
            connection.execute("DELETE FROM sessions WHERE digest = ?", (digest,))

    def student_of_session(self, digest: bytes, now: datetime) -> str | None:
        rows = self._read(
            "SELECT student FROM sessions WHERE digest = ? AND expires_at > ?", digest, now.isoformat()
        )
        return rows[0]["student"] if rows else None


def _hand_in(row: sqlite3.Row | Mapping[str, Any]) -> HandIn:
    values = dict(row)
    for name in ("received_at", "ended_at"):
        values[name] = datetime.fromisoformat(values[name]) if values[name] else None
    return HandIn(**values | {"delivered": bool(values["delivered"])})
