"""Asking for an examiner, and having it judge a student kernel: the coordinator's end."""

import select
import socket
from contextlib import suppress
from typing import Any

import msgpack

from coursekit.engine import frames
from coursekit.engine.examiner.program import Loan, Program
from coursekit.engine.kernels.client import StudentKernel
from coursekit.engine.kernels.lease import Lease
from coursekit.engine.kernels.pace import SLOWEST
from coursekit.engine.kernels.servers import Servers
from coursekit.engine.limits import Limits
from coursekit.engine.master import Master
from coursekit.engine.result import TEST_TIMED_OUT, Comparison, Verdict

MAX_REPLY = 1 << 20  # bytes that the examiner may say at once
OWN_WORK = 3  # CPU seconds of the examiner's own for each one that a test may take the student's code


class ExaminerLost(Exception):
    """The examiner's process ended or does not answer."""


class ExaminerProcess:
    """The engine's end of one examiner process."""

    def __init__(self, master: Master, limits: Limits, servers: Servers):
        self._control, theirs = socket.socketpair()
        request = {
            "memory_mb": limits.memory_mb,
            "cpu_seconds": int(SLOWEST * limits.total_seconds) + 10,
            "folder": "",
        }
        try:
            self._lease: Lease = servers.lease("examiner", request, [theirs.fileno()])
        finally:
            theirs.close()
        self._opened = False
        with suppress(ExaminerLost):  # that shows when it is attached
            self._send(["open", master.setup_source])

    def attach(self, kernel: StudentKernel) -> None:
        """Examine this kernel from now on."""
        self._await_open()
        self._send(["attach"], (kernel.wire.fileno(),))
        self._receive(30)

    def test(self, test: Program, loan: Loan, seconds: float, kernel: StudentKernel) -> tuple[Verdict, bool]:
        """Run a test cell: what comes of it, and whether the student kernel is still usable.

        The time limit counts the student kernel's work. The examiner has its own, for what it does itself with
        what came back (an endless iterator, say).

        Raises:
            ExaminerLost: no answer some time after that.
        """
        clock = kernel.clock(seconds)
        answered = select.poll()
        answered.register(self._control, select.POLLIN)
        self._send(["test", test, loan, OWN_WORK * seconds])
        while not answered.poll(1000 * max(0.0, min(0.5, clock.left()))):
            if clock.left() <= 0:
                kernel.close()  # the examiner's question now ends with an error
                self._receive(30)
                message = f"Not finished after {seconds:g} seconds: is there an endless loop?"
                return Verdict(TEST_TIMED_OUT, message), False
        outcome, message, trace, told, intact = self._receive(30)
        return Verdict(outcome, message, trace, Comparison(**told) if told else None), intact

    def close(self) -> None:
        self._control.close()
        self._lease.close()

    def _await_open(self) -> None:
        # The process starts while the kernel does; only now is there something to wait for.
        if not self._opened:
            _ = self._lease.pid  # else it cannot answer
            self._receive(60)
            self._opened = True

    def _send(self, command: list[Any], descriptors: tuple[int, ...] = ()) -> None:
        try:
            frames.send(self._control, msgpack.packb(command), descriptors)
        except OSError as error:
            raise ExaminerLost(str(error)) from error

    def _receive(self, seconds: float) -> list[Any]:
        self._control.settimeout(seconds)
        try:
            status: str
            rest: list[Any]
            status, *rest = msgpack.unpackb(frames.receive(self._control, MAX_REPLY))
        except (EOFError, OSError, frames.WireError) as error:
            raise ExaminerLost(str(error) or "it ended") from error
        if status != "ok":
            raise ExaminerLost(rest[0])
        return rest
