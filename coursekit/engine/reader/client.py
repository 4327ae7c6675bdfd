"""Having a submission read."""

import signal
import socket
from functools import lru_cache
from typing import Any

import msgpack

from coursekit.engine import frames
from coursekit.engine.kernels.lease import Lease, ServerLost
from coursekit.engine.kernels.servers import Servers
from coursekit.engine.limits import Limits
from coursekit.engine.master import Master
from coursekit.engine.reader import plain
from coursekit.engine.repair import Rebuilt
from coursekit.engine.repair.unpack import MEMORY, TIME
from coursekit.engine.submission import Submission

MEMORY_MB = 512  # a notebook of 100 MiB and all that is made of it
SECONDS = 2  # of CPU; a notebook takes 0.01, one of 100 MiB 0.5
WAIT_SECONDS = 60  # on the clock of a busy machine


class ReaderFault(Exception):
    """The reader itself failed. The message is its traceback."""


@lru_cache(maxsize=16)
def _packed(master: Master) -> bytes:
    return plain.pack_master(master)


def read(master: Master, submission: Submission, limits: Limits, servers: Servers) -> tuple[Rebuilt, str]:
    """The notebook that is graded, and "" or a sentence on why it has no cells.

    Raises:
        ServerLost: the reader ended without an answer, and for no reason that is the submission's.
        CourseError, OSError: this machine cannot fork a reader.
        ReaderFault: it failed.
    """
    answer = _ask(master, submission, servers, {"differences": False, "output_kb": limits.output_kb})
    return (Rebuilt([]), answer) if isinstance(answer, str) else plain.unpack_answer(answer, master)


def read_differences(master: Master, submission: Submission, servers: Servers) -> list[tuple[str, str]]:
    """What repair changed, as `coursekit.engine.repair.difference` has it; [] where the submission cannot be read.

    Raises:
        ServerLost, CourseError, OSError, ReaderFault: as `read`.
    """
    answer = _ask(master, submission, servers, {"differences": True, "output_kb": 0})
    return [] if isinstance(answer, str) else plain.unpack_differences(answer)


def _ask(master: Master, submission: Submission, servers: Servers, what: dict[str, Any]) -> bytes | str:
    """What a reader says, or a sentence on why it cannot: the submission is to blame."""
    control, theirs = socket.socketpair()
    request = {
        "master": _packed(master),
        "files": [[file.name, file.size] for file in submission.files],
        "memory_mb": MEMORY_MB,
        "seconds": SECONDS,
        "cpu_seconds": SECONDS + 1,
        "folder": "",
    } | what
    with control:
        with theirs:
            descriptors = [theirs.fileno(), *(file.descriptor for file in submission.files)]
            lease = servers.lease("reader", request, descriptors)
        try:
            control.settimeout(WAIT_SECONDS)
            word: str
            answer: Any
            word, answer = msgpack.unpackb(frames.receive(control, plain.MAX_ANSWER + 100))
        except TimeoutError as error:  # not for want of CPU: that limit is far below
            raise ServerLost(f"A reader gave no answer in {WAIT_SECONDS} s.") from error
        except (EOFError, OSError, ValueError, frames.WireError) as error:
            return _why(lease, error)
        finally:
            lease.close()
    if word != "ok":
        raise ReaderFault(answer)
    if type(answer) is not bytes:
        raise frames.WireError("the reader's answer is no bytes")
    return answer


def _why(lease: Lease, error: Exception) -> str:
    """A sentence on why a reader ended too early.

    Raises:
        CourseError: it was never forked.
        ServerLost: for no reason that is the submission's.
    """
    _ = lease.pid
    reason, status = lease.poll(WAIT_SECONDS) or ("", 0)
    if status == -signal.SIGXCPU:
        return TIME
    if reason == "memory":
        return MEMORY
    raise ServerLost(f"A reader was lost ({reason} {status} {error}).")
