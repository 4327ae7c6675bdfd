"""One forked process, asked for and held: how it is doing, how it ended, and what it used."""

import contextlib
import os
import select
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack

from coursekit.engine.coordinator.clock import Meanwhile, readable
from coursekit.engine.shared import frames
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.limits import MEANWHILE_SECONDS
from coursekit.engine.supervisor import scratch
from coursekit.engine.supervisor.guardian import LEAVE_OUT, LOST, SIGNAL

FELT_BY_OTHERS = {
    "processes",
    "scratch",
    "descriptors",
}  # why a guardian ended a family that took too many of them
END_SECONDS = 10  # in which a guardian begins to end its family, if it is not stopped
SEEN_SECONDS = 1  # within so many, a guardian sees that a limit is passed


class ServerLost(CourseError):
    """A process of ours ended with a submission in its hands, and no limit was reported: it is to be graded again."""


class NoRoom(CourseError):
    """The folder for temporary files is full, by a neighbour perhaps: there may be room in a moment."""


class Lease:
    """A forked process, for as long as this object's connection is open. It is asked for here and waited for later.

    Args:
        path: the server's socket.
        request, descriptors: what the forked process is told.
        lasting: what the server is told, and keeps for later forks.
        count: told the CPU seconds that the process and all that it started have used.
        exceeded: told from when to when it was over a limit, where others may have felt it, on the monotonic clock.
        suspect: ends the servers; called where it seems to be the server that is lost, not this process's guardian.

    Raises:
        ServerLost: the server does not answer.
    """

    def __init__(
        self,
        path: Path,
        request: dict[str, Any],
        descriptors: list[int],
        lasting: Any = (),
        count: Callable[[float], None] = lambda cpu_seconds: None,
        exceeded: Callable[[float, float], None] = lambda begun, ended: None,
        suspect: Callable[[], None] = lambda: None,
    ):
        self._count, self._exceeded, self._suspect = count, exceeded, suspect
        self.ended: tuple[str, int] | None = None  # (reason, exit status) once it is over
        # The reason, already while its family is killed and what it left is removed.
        self.over: str | None = None
        self._over_since = 0.0
        self.beside = 0.0  # CPU seconds of what the process has started, as last told
        self.waited = 0.0  # seconds for which that was kept waiting for a processor
        self._pid, self._pidfd, self._guardian, self._scratch = 0, -1, -1, Path()
        self._connection = socket.socket(socket.AF_UNIX)
        self._connection.settimeout(MEANWHILE_SECONDS)
        try:
            self._connection.connect(str(path))
            frames.send(self._connection, msgpack.packb(lasting))
            frames.send(self._connection, msgpack.packb(request), tuple(descriptors))
        except (ConnectionError, FileNotFoundError, TimeoutError) as error:
            self._connection.close()
            suspect()
            raise ServerLost(f"The {path.stem} server was lost ({error}).") from error
        self._readable = select.poll()
        self._readable.register(self._connection, select.POLLIN)

    @property
    def pid(self) -> int:
        """Its number, as soon as it runs.

        Raises:
            ServerLost: the server or the process's guardian died before that.
            NoRoom: there is no room for its files.
        """
        if not self._pid:
            try:
                if not readable(self._connection, Meanwhile(MEANWHILE_SECONDS)):
                    raise TimeoutError(f"no answer in {MEANWHILE_SECONDS} s")
                word, value, *rest = msgpack.unpackb(frames.receive(self._connection))
            except (EOFError, OSError) as error:
                self._suspect()
                raise ServerLost(
                    f"A fork server was lost ({error}). Is the machine out of memory?"
                ) from error
            if word == "failed":
                raise NoRoom(value)
            if word != "started":
                raise ServerLost("A process could not be forked. Is the machine out of memory?")
            guardian, folder = rest
            self._pid, self._scratch = value, Path(folder)
            self._pidfd, self._guardian = _opened(value), _opened(guardian)
        return self._pid

    def fileno(self) -> int:
        """Readable when there is something for `poll` to look at."""
        return self._connection.fileno()

    def poll(self, seconds: float = 0) -> tuple[str, int] | None:
        """Why and how the process ended, or None while it lives.

        Raises:
            ServerLost: its guardian died, and so nobody knows.
        """
        deadline = time.monotonic() + seconds
        while self.ended is None:
            _ = self.pid
            if not self._readable.poll(1000 * max(0.0, deadline - time.monotonic())):
                return None
            try:
                word, *rest = msgpack.unpackb(frames.receive(self._connection))
                if word == "used":
                    self.beside, self.waited = rest
                    continue
                if word == "over":
                    self.over, self._over_since = rest[0], time.monotonic() - SEEN_SECONDS
                    continue
                reason, status, cpu_seconds = rest
                self._count(cpu_seconds)
                if reason in FELT_BY_OTHERS:
                    self._exceeded(self._over_since, time.monotonic())
            except (EOFError, OSError):
                reason, status = LOST, -1
                self._clean_up()
            self.ended = reason, status
        if self.ended[0] == LOST:
            raise ServerLost("A guardian was lost, and with it the process that it watched.")
        return self.ended

    def _clean_up(self) -> None:
        """What the guardian would have done. The process itself died with it; what that had started did not."""
        # As long as any of them lives, the number is nobody else's: who else has it shows that none is left. Until init
        # has collected the process, it has the number itself.
        if not _collected(self._pidfd) or not os.path.exists(f"/proc/{self._pid}"):
            with contextlib.suppress(OSError):
                os.killpg(self._pid, signal.SIGKILL)
        scratch.remove(self._scratch)

    def signal(self, number: int) -> None:
        """Send the process a signal."""
        with contextlib.suppress(OSError):
            frames.send(self._connection, msgpack.packb([SIGNAL, number]))

    def leave_out_children(self) -> None:
        """Have no more counted in `beside` and `waited` what the processes use that it has started by now."""
        with contextlib.suppress(OSError):
            frames.send(self._connection, msgpack.packb([LEAVE_OUT, 0]))

    def end(self) -> None:
        """Have the process and all its descendants killed, without waiting for it."""
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Kill the process and all its descendants; returns when they are gone."""
        self.end()
        with contextlib.suppress(CourseError):
            if self.poll(END_SECONDS) is None and (self.over is None or self.poll(MEANWHILE_SECONDS) is None):
                self._kill_guardian()
                self.poll(END_SECONDS)
        self._connection.close()
        for descriptor in (self._guardian, self._pidfd):
            if descriptor >= 0:
                os.close(descriptor)
        self._guardian = self._pidfd = -1

    def _kill_guardian(self) -> None:
        """End a guardian that does not answer: one that somebody has stopped never would."""
        if self._guardian >= 0:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._guardian, signal.SIGKILL)


def _opened(pid: int) -> int:
    """A process's descriptor; -1 of one that has ended already."""
    try:
        return os.pidfd_open(pid)
    except OSError:
        return -1


def _collected(pidfd: int) -> bool:
    """Whether a process is over, and its parent has taken note. One without a descriptor counts as over."""
    if pidfd < 0:
        return True
    try:
        signal.pidfd_send_signal(pidfd, 0)
    except ProcessLookupError:
        return True
    return False
