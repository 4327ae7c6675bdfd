"""One forked process as the coordinator sees it: its state, its end, and the CPU time that it used."""

import contextlib
import logging
import os
import select
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack

from coursekit.engine.coordinator.clock import WallLimit, readable
from coursekit.engine.shared import frames
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.limits import INTERNAL_WAIT_SECONDS
from coursekit.engine.supervisor import scratch
from coursekit.engine.supervisor.guardian import EXCLUDE_CURRENT, LOST, SIGNAL

SHARED_REASONS = {"processes", "scratch", "descriptors"}  # limits of what other submissions use, too
END_SECONDS = 10  # within which a guardian that runs begins to end its fork
DETECTION_SECONDS = 1  # within which a guardian detects that a limit is exceeded

logger = logging.getLogger(__name__)


class ServerLost(CourseError):
    """A process of the engine ended, and no limit was reported: the submission has to be graded again."""


class NoTemporarySpace(CourseError):
    """The folder for temporary files is full, perhaps because of another submission: later there may be space."""


class ForkedProcess:
    """A forked process. Closing this object ends it. The constructor does not wait for it; `pid` does.

    Args:
        path: the server's socket.
        request, descriptors: for the forked process.
        preload: for the server, which keeps it for later forks: readers' master, student kernels' blocked names.
        count: called at its end with the CPU seconds that the process and all its descendants have used.
        exceeded: called with the begin and end of the time, on the monotonic clock, in which the process exceeded one
            of the limits SHARED_REASONS, and may have affected other submissions.
        server_lost: called when the server does not answer; returns a sentence to be added to the message, or "".

    Attributes:
        ended: (reason, exit status) once it has ended, else None. The reason is the limit that it exceeded, "exited" if
            it ended by itself, "killed" if this end closed the connection, or LOST.
        ending: the reason, as soon as its guardian begins to kill it.
        children_seconds: CPU seconds of its descendants, as last reported.
        children_waited: seconds for which these waited for a processor.

    Raises:
        ServerLost: the server does not answer.
    """

    def __init__(
        self,
        path: Path,
        request: dict[str, Any],
        descriptors: list[int],
        preload: Any = (),
        count: Callable[[float], None] = lambda cpu_seconds: None,
        exceeded: Callable[[float, float], None] = lambda begun, ended: None,
        server_lost: Callable[[], str] = lambda: "",
    ):
        self._count, self._exceeded, self._server_lost = count, exceeded, server_lost
        self.ended: tuple[str, int] | None = None
        self.ending: str | None = None
        self._exceeded_since = 0.0
        self.children_seconds = self.children_waited = 0.0
        self._pid, self._pidfd, self._guardian, self._scratch = 0, -1, -1, Path()
        self._connection = socket.socket(socket.AF_UNIX)
        self._connection.settimeout(INTERNAL_WAIT_SECONDS)
        try:
            self._connection.connect(str(path))
            frames.send(self._connection, msgpack.packb(preload))
            frames.send(self._connection, msgpack.packb(request), tuple(descriptors))
        except (ConnectionError, FileNotFoundError, TimeoutError) as error:
            self._connection.close()
            raise ServerLost(f"The {path.stem} server was lost ({error}).{server_lost()}") from error
        self._poll = select.poll()
        self._poll.register(self._connection, select.POLLIN)

    @property
    def pid(self) -> int:
        """Its process id, as soon as it runs.

        Raises:
            ServerLost: the server or the guardian died before that, or does not answer.
            NoTemporarySpace: there is no space for its files.
        """
        if not self._pid:
            try:
                if not readable(self._connection, WallLimit(INTERNAL_WAIT_SECONDS)):
                    raise TimeoutError(f"no answer in {INTERNAL_WAIT_SECONDS} s")
                word, value, *rest = msgpack.unpackb(frames.receive(self._connection))
            except (EOFError, OSError) as error:
                raise ServerLost(
                    f"A fork server was lost ({error}). Is the machine out of memory?{self._server_lost()}"
                ) from error
            if word == "failed":
                raise NoTemporarySpace(value)
            if word != "started":
                raise ServerLost("A process could not be forked. Is the machine out of memory?")
            guardian, folder = rest
            self._pid, self._scratch = value, Path(folder)
            self._pidfd, self._guardian = _pidfd(value), _pidfd(guardian)
        return self._pid

    def fileno(self) -> int:
        """Return the descriptor that is readable when `poll` has something to read."""
        return self._connection.fileno()

    def poll(self, seconds: float = 0) -> tuple[str, int] | None:
        """Return (reason, exit status) once the process has ended; None if it still runs after `seconds`.

        Raises:
            ServerLost: its guardian died, so the reason is unknown.
            NoTemporarySpace: there is no space for its files.
        """
        deadline = time.monotonic() + seconds
        while self.ended is None:
            _ = self.pid
            if not self._poll.poll(1000 * max(0.0, deadline - time.monotonic())):
                return None
            try:
                word, *rest = msgpack.unpackb(frames.receive(self._connection))
                if word == "used":
                    self.children_seconds, self.children_waited = rest
                    continue
                if word == "ending":
                    self.ending, self._exceeded_since = rest[0], time.monotonic() - DETECTION_SECONDS
                    continue
                reason, status, cpu_seconds = rest
                self._count(cpu_seconds)
                if reason in SHARED_REASONS:
                    self._exceeded(self._exceeded_since, time.monotonic())
            except (EOFError, OSError):
                reason, status = LOST, -1
                logger.warning("The guardian of process %d was lost.", self._pid)
                self._clean_up()
            self.ended = reason, status
        if self.ended[0] == LOST:
            raise ServerLost("A guardian was lost, and with it the process that it watched.")
        return self.ended

    def _clean_up(self) -> None:
        """Kill the descendants and remove the scratch folder, as the guardian would have done before it died."""
        # The process died with its guardian; its number is that of its group, and is not used again while a member
        # lives. If it has been reaped and another process has the number, no member lives. A zombie still has it.
        if not _reaped(self._pidfd) or not os.path.exists(f"/proc/{self._pid}"):
            with contextlib.suppress(OSError):
                os.killpg(self._pid, signal.SIGKILL)
        scratch.remove(self._scratch)

    def signal(self, number: int) -> None:
        """Send the process a signal."""
        self._send(SIGNAL, number)

    def exclude_current_children(self) -> None:
        """From now on, count only new descendants in `children_seconds` and `children_waited`."""
        self._send(EXCLUDE_CURRENT, 0)

    def _send(self, command: str, number: int) -> None:
        with contextlib.suppress(OSError):
            frames.send(self._connection, msgpack.packb([command, number]))

    def end(self) -> None:
        """Have the process and all its descendants killed, without waiting."""
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_WR)

    def close(self, wait_for_guardian: bool = False) -> None:
        """Kill the process and all its descendants, and wait until they have ended.

        Args:
            wait_for_guardian: also wait until the guardian has ended, which has the descriptors open as well.
        """
        self.end()
        with contextlib.suppress(CourseError):
            if self.poll(END_SECONDS) is None and (
                self.ending is None or self.poll(INTERNAL_WAIT_SECONDS) is None
            ):
                self._kill_guardian()
                self.poll(END_SECONDS)
        if wait_for_guardian and self._guardian >= 0:
            select.select([self._guardian], [], [], END_SECONDS)
        self._connection.close()
        for descriptor in (self._guardian, self._pidfd):
            if descriptor >= 0:
                os.close(descriptor)
        self._guardian = self._pidfd = -1

    def _kill_guardian(self) -> None:
        """End a guardian that does not answer, perhaps because it was stopped."""
        if self._guardian >= 0:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._guardian, signal.SIGKILL)


def _pidfd(pid: int) -> int:
    """Return a descriptor of the process; -1 if it has ended."""
    try:
        return os.pidfd_open(pid)
    except OSError:
        return -1


def _reaped(pidfd: int) -> bool:
    """Return whether a process has ended and its parent has waited for it; True without a descriptor."""
    if pidfd < 0:
        return True
    try:
        signal.pidfd_send_signal(pidfd, 0)
    except ProcessLookupError:
        return True
    return False
