"""Having a submission read."""

import signal
import socket
from functools import lru_cache

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
    control, theirs = socket.socketpair()
    request = {
        "master": _packed(master),
        "files": [[file.name, file.size] for file in submission.files],
        "output_kb": limits.output_kb,
        "memory_mb": MEMORY_MB,
        "seconds": SECONDS,
        "cpu_seconds": SECONDS + 1,
        "folder": "",
    }
    with control:
        with theirs:
            descriptors = [theirs.fileno(), *(file.descriptor for file in submission.files)]
            lease = servers.lease("reader", request, descriptors)
        try:
            control.settimeout(WAIT_SECONDS)
            word, answer = msgpack.unpackb(frames.receive(control, plain.MAX_ANSWER + 100))
        except TimeoutError as error:  # not for want of CPU: that limit is far below
            raise ServerLost(f"A reader gave no answer in {WAIT_SECONDS} s.") from error
        except (EOFError, OSError, ValueError, frames.WireError) as error:
            return Rebuilt([]), _why(lease, error)
        finally:
            lease.close()
    if word != "ok":
        raise ReaderFault(answer)
    return plain.unpack_answer(answer, master)


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
