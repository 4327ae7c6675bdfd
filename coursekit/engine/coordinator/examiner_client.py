"""Start an examiner, and have it test a student kernel: the coordinator's end."""

import socket
from contextlib import suppress
from typing import Any, NamedTuple

import msgpack

from coursekit.engine.coordinator import sentences
from coursekit.engine.coordinator.clock import Clock, WallLimit, readable
from coursekit.engine.coordinator.forked_process import ForkedProcess
from coursekit.engine.coordinator.kernel_client import StudentKernel
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.coordinator.working_folder import WorkingFolder
from coursekit.engine.shared import frames
from coursekit.engine.shared.limits import EXAMINER_SHARE, INTERNAL_WAIT_SECONDS, Limits, backstop_seconds
from coursekit.engine.shared.master import Master
from coursekit.engine.shared.program import CompiledTest, Examined, ReferenceDefinitions
from coursekit.engine.shared.reasons import TestReason
from coursekit.engine.shared.result import STOPPED, Comparison, Verdict

MAX_REPLY = 1 << 20  # bytes of one reply of the examiner's
NO_ANSWER = f"no answer in {INTERNAL_WAIT_SECONDS} s"


class ExaminerLost(Exception):
    """The examiner's process ended, does not answer, or reports that it failed."""


class SetupFailed(Exception):
    """A setup cell raised in the examiner, or did not end; the message is the reason."""


class Tested(NamedTuple):
    """What came of a test.

    Attributes:
        intact: the student kernel can be used for another test. When the clock ran out, the kernel and
            the examiner are still busy with this one.
        seconds: CPU seconds that the student's code took, as on a machine of normal speed.
        shared_limit: the student's code met a limit that all processes of the machine share, as its kernel reports.
        requests: hash of all that the test asked of the student kernel; "" if it was stopped.
    """

    verdict: Verdict
    intact: bool
    seconds: float
    shared_limit: bool = False
    requests: str = ""


class ExaminerProcess:
    """The coordinator's end of one examiner process."""

    def __init__(self, master: Master, limits: Limits, servers: Servers):
        self._control, examiner_end = socket.socketpair()
        frames.set_time_out(self._control, INTERNAL_WAIT_SECONDS)
        folder = WorkingFolder(master.data_files)
        request = {
            "memory_mb": limits.memory_mb,
            "scratch_mb": limits.scratch_mb + folder.size_mb(servers.unsafe),
            "links": folder.links,
            "cpu_seconds": backstop_seconds(limits, len(master.questions)),
        }
        try:
            self._process: ForkedProcess = servers.fork("examiner", request, [examiner_end.fileno()])
        finally:
            examiner_end.close()
        self._opened = False
        self._setup_seconds = EXAMINER_SHARE * limits.cell_seconds
        self._slowness = servers.calibration.slowness
        with suppress(ExaminerLost):  # `attach` then raises it
            self._send(["open", master.setup_source])

    def attach(self, kernel: StudentKernel) -> None:
        """Examine this kernel from now on.

        Raises:
            SetupFailed: a setup cell raised, or did not end.
            ExaminerLost: the examiner ended, or does not answer.
            ServerLost, NoTemporarySpace: the examiner could not be forked.
        """
        self._await_open()
        self._send(["attach"], (kernel.wire.fileno(),))
        if not readable(self._control, WallLimit(INTERNAL_WAIT_SECONDS)):
            raise ExaminerLost(NO_ANSWER)
        self._receive()

    def test(
        self,
        test: CompiledTest,
        references: ReferenceDefinitions,
        hidden_seed: int,
        seconds: float,
        kernel: StudentKernel,
    ) -> Tested:
        """Run a test cell, and return what came of it.

        Args:
            test: the cell, compiled for the examiner.
            hidden_seed: from which it draws its inputs.
            seconds: that the student kernel may take. The examiner's own work with the kernel's replies, such as
                following an endless iterator, may take EXAMINER_SHARE times as many.

        Raises:
            ExaminerLost: the examiner ended, does not answer, or failed.
        """
        clock = kernel.clock(seconds, (self._process, EXAMINER_SHARE * seconds))
        self._send(["test", test, references, hidden_seed])
        if not readable(self._control, clock):
            message = sentences.message(TestReason.TIMED_OUT, {"seconds": seconds})
            return Tested(Verdict(STOPPED, TestReason.TIMED_OUT, message), False, clock.spent())
        examined = Examined(*self._receive())
        reason = TestReason(examined.reason) if examined.reason is not None else None
        message = sentences.message(reason, examined.values) if reason is not None else ""
        comparison = Comparison(**examined.comparison) if examined.comparison else None
        verdict = Verdict(examined.outcome, reason, message, examined.trace, comparison)
        return Tested(verdict, examined.intact, clock.spent(), examined.shared_limit, examined.requests)

    def close(self) -> None:
        self._control.close()
        self._process.close()

    def _await_open(self) -> None:
        # The examiner starts at the same time as the kernel, so it is waited for only here.
        if not self._opened:
            _ = self._process.pid  # raises if it could not be forked
            if not readable(self._control, Clock(self._process, self._setup_seconds, self._slowness)):
                raise SetupFailed(f"not finished after {self._setup_seconds:.3g} seconds of processor time")
            self._receive(SetupFailed)
            self._opened = True

    def _send(self, command: list[Any], descriptors: tuple[int, ...] = ()) -> None:
        try:
            frames.send(self._control, msgpack.packb(command), descriptors)
        except OSError as error:
            raise ExaminerLost(_reason_of(error)) from error

    def _receive(self, failure: type[Exception] = ExaminerLost) -> list[Any]:
        try:
            status: str
            rest: list[Any]
            status, *rest = msgpack.unpackb(frames.receive_reply(self._control, MAX_REPLY))
        except (EOFError, OSError, frames.WireError) as error:
            raise ExaminerLost(_reason_of(error)) from error
        if status != "ok":
            raise failure(rest[0])
        return rest


def _reason_of(error: Exception) -> str:
    return NO_ANSWER if isinstance(error, BlockingIOError) else str(error) or "it ended"
