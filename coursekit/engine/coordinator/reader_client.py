"""Have a submission read by a reader: the coordinator's end."""

import socket
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgpack

from coursekit.engine.coordinator.clock import Clock, readable
from coursekit.engine.coordinator.forked_process import ForkedProcess, ServerLost
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.coordinator.submission import Submission
from coursekit.engine.shared import frames, reader_messages
from coursekit.engine.shared.limits import (
    INTERNAL_WAIT_SECONDS,
    PICTURE_SECONDS,
    READER_MEMORY_MB,
    READER_SECONDS,
    SLOWEST,
    Limits,
)
from coursekit.engine.shared.master import Master
from coursekit.engine.shared.reasons import Flag, Unreadable
from coursekit.engine.shared.rebuilt import Rebuilt
from coursekit.engine.shared.result import Note

MAX_LOST_READERS = 3  # at pictures of one submission; then the rest of them are left out
END_SECONDS = 60  # for a guardian to report how a reader ended


class ReaderFault(Exception):
    """The reader itself failed. The message is its traceback."""


@lru_cache(maxsize=16)
def _packed(master: Master) -> bytes:
    return reader_messages.pack_master(master)


class _OutOfMemory(Exception):
    """The submission needs more memory than a reader may have."""


def read(master: Master, submission: Submission, limits: Limits, servers: Servers) -> Rebuilt:
    """Return the notebook that is to be graded, or the reason why there is none.

    Raises:
        ServerLost: the reader ended without a whole answer, and not because of the submission.
        CourseError, OSError: this machine cannot fork a reader.
        ReaderFault: it failed.
        WireError: its answer is malformed.
    """
    try:
        answer = _ask(master, submission, servers, {"wants": "notebook", "output_kb": limits.output_kb})
    except _OutOfMemory:
        return _unreadable(Unreadable.MEMORY)
    except TimeoutError:
        return _unreadable(Unreadable.TIME)
    rebuilt = reader_messages.unpack_answer(answer, master)
    if rebuilt.file >= max(1, len(submission.files)):
        raise frames.WireError("the reader's answer names a file that was not handed in")
    names = [(position, name) for position, item in enumerate(rebuilt.cells) for name in item.pictures]
    if names:
        pictures = _read_pictures(master, submission, servers, len(names))
        for (position, name), picture in zip(names, pictures, strict=True):
            rebuilt.cells[position].pictures[name] = picture
    return rebuilt


def _read_pictures(master: Master, submission: Submission, servers: Servers, count: int) -> list[bytes]:
    """Return the notebook's pictures; b"" for each that cannot be shown.

    A picture at which a reader ends is left out, and another reader goes on after it.
    """
    pictures: list[bytes] = []
    tries = MAX_LOST_READERS
    while len(pictures) < count and tries:
        request = {"wants": "pictures", "first": len(pictures)}
        try:
            seconds = READER_SECONDS + PICTURE_SECONDS  # the notebook is read again before the first picture
            for picture in _replies(master, submission, servers, request, seconds, count - len(pictures)):
                pictures.append(reader_messages.checked_picture(picture))
        except (_OutOfMemory, TimeoutError):
            pictures.append(b"")
            tries -= 1
    return pictures + [b""] * (count - len(pictures))


def _unreadable(reason: Unreadable) -> Rebuilt:
    return Rebuilt(unreadable=Note(Flag.UNREADABLE, values={"reason": reason}))


def read_differences(master: Master, submission: Submission, servers: Servers) -> list[tuple[str, str]]:
    """Return (sign, line) pairs: a unified diff of what repair changed; [] if the submission cannot be read.

    Raises:
        ServerLost, CourseError, OSError, ReaderFault, WireError: as `read`.
    """
    try:
        return reader_messages.unpack_differences(_ask(master, submission, servers, {"wants": "differences"}))
    except (_OutOfMemory, TimeoutError):
        return []


def _ask(master: Master, submission: Submission, servers: Servers, options: dict[str, Any]) -> bytes:
    """Return the one reply of a reader."""
    (answer,) = _replies(master, submission, servers, options, READER_SECONDS, 1)
    return answer


def _replies(
    master: Master,
    submission: Submission,
    servers: Servers,
    options: dict[str, Any],
    seconds: float,
    count: int,
) -> Iterator[bytes]:
    """Yield `count` replies of a reader, each of which may take these CPU seconds.

    Args:
        options: what is wanted: {"wants": "notebook", "output_kb": KiB of its saved outputs}, {"wants": "differences"},
            or {"wants": "pictures", "first": number of the first one}.

    Raises:
        _OutOfMemory: the submission needs too much memory.
        TimeoutError: it takes too long.
    """
    control, reader_end = socket.socketpair()
    request = {
        "files": [[file.name, file.size] for file in submission.files],
        "memory_mb": READER_MEMORY_MB,
        # It writes nothing, but files of `Submission.of_bytes`, which are memory, count; 1 is the least there is.
        "scratch_mb": 1 + (sum(file.size for file in submission.files) >> 20),
        "cpu_seconds": SLOWEST * seconds * count + 2,
    } | options
    with control:
        with reader_end:
            descriptors = [reader_end.fileno(), *(file.descriptor for file in submission.files)]
            process = servers.fork("reader", request, descriptors, preload=_packed(master))
        control.settimeout(INTERNAL_WAIT_SECONDS)  # once it has begun to answer
        try:
            for _ in range(count):
                if not readable(control, Clock(process, seconds, servers.calibration.slowness)):
                    raise TimeoutError
                word: str
                answer: Any
                try:
                    frame = frames.receive(control, reader_messages.MAX_ANSWER + 100)
                    word, answer = msgpack.unpackb(frame)
                except TimeoutError:
                    raise
                except (EOFError, OSError, ValueError, frames.WireError) as error:
                    raise _error_of(process, error) from error
                if word != "ok":
                    raise ReaderFault(answer)
                if type(answer) is not bytes:
                    raise frames.WireError("the reader's answer is not bytes")
                yield answer
        finally:
            process.close()


def _error_of(process: ForkedProcess, error: Exception) -> Exception:
    """Return the exception to raise for a reader that ended without a reply."""
    _ = process.pid  # raises CourseError or OSError if the server could not fork it
    reason, status = process.poll(END_SECONDS) or ("", 0)
    if reason == "memory":
        return _OutOfMemory()
    return ServerLost(f"A reader was lost ({reason} {status} {error}).")
