"""Run one submission in a student kernel, cell by cell, and have an examiner run its tests: Rebuilt → Transcript.

`outcome` makes a result and a notebook from the transcript.
"""

import signal
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from coursekit.engine.coordinator import sentences
from coursekit.engine.coordinator.compiling import compile_reference_definitions, compile_test
from coursekit.engine.coordinator.examiner_client import ExaminerLost, ExaminerProcess, SetupFailed
from coursekit.engine.coordinator.forked_process import ServerLost
from coursekit.engine.coordinator.kernel_client import Execution, StudentKernel
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.coordinator.transcript import Transcript, Used
from coursekit.engine.coordinator.working_folder import WorkingFolder
from coursekit.engine.shared.limits import DEFINE_SECONDS, MAX_STOPS, REPEAT_SECONDS, Limits, backstop_seconds
from coursekit.engine.shared.master import Cell, Master, defined_names
from coursekit.engine.shared.outputs import OutputBudget, mask_run_dependent
from coursekit.engine.shared.reasons import NOTE_VALUES, Flag, Stop, TestReason, Values
from coursekit.engine.shared.rebuilt import Rebuilt, RebuiltCell
from coursekit.engine.shared.result import ERROR, NOT_RUN, Note, Outcome, Verdict

MAX_ADDED_STOPS = 50  # of all cells that the student added; after them, one that stops is not run again
MAX_VAIN_RETRIES = 2  # tests whose kernel dies again when they are tried again
LARGE_SHARE = 0.2  # of the memory limit: statements that took more are not repeated
MAX_MESSAGE = 2000  # characters for the student
MAX_TRACE = 20_000  # characters of the trace of a test
CELL_STOPS: dict[str, Stop] = {  # why a kernel ended in a cell, as its guardian reports
    stop: stop
    for stop in (Stop.MEMORY, Stop.PROCESSES, Stop.SCRATCH, Stop.DESCRIPTORS, Stop.EXITED, Stop.KILLED)
}
# Why a test cost its kernel, by the test's reason; for any other reason, its kernel sent an unreadable reply.
TEST_STOPS: dict[TestReason | None, Stop] = {
    TestReason.TIMED_OUT: Stop.TEST_TIMED_OUT,
    TestReason.MEMORY: Stop.TEST_MEMORY,
    TestReason.DIED: Stop.TEST_DIED,
}
# By what `StudentKernel.leave` returns when something that a test had started has cost the kernel.
AFTER_TEST_STOPS = {
    "timed_out": Stop.AFTER_TEST_TIMED_OUT,
    "died": Stop.AFTER_TEST_DIED,
    "left": Stop.AFTER_TEST_LEFT,
}


@dataclass(frozen=True)
class Part:
    """The part that is run of a cell that stopped, or had no time left.

    Attributes:
        before: all statements before this number are run; of the others, only definitions. The first has the number 0.
        skip: the numbers of statements that are not run.
    """

    before: int = 0
    skip: frozenset[int] = frozenset()


class Run:
    """The run of one submission in a kernel and with an examiner.

    A test sees the names that the cells define, however they ended. When a cell has stopped (by an error, its time, its
    memory, the end of the kernel), a new kernel runs the earlier cells again and, of this one, the statements before
    the one that stopped, unless these were slow, large or left processes; of those after it, only definitions. Cells
    and tests have separate budgets: when the cells have used up theirs, only definitions of the others are run, and
    every test still runs. A kernel that a test has cost is replaced in the same way.

    Args:
        folder: in which each kernel of the run works.
        hidden_seed: from which hidden tests draw their inputs.
        verdicts: {test: verdict} of tests that need not be run.
    """

    def __init__(
        self,
        master: Master,
        rebuilt: Rebuilt,
        folder: WorkingFolder,
        limits: Limits,
        servers: Servers,
        hidden_seed: int,
        verdicts: Mapping[str, Verdict] = MappingProxyType({}),
    ):
        self._master, self._cells, self._folder = master, rebuilt.cells, folder
        self._limits, self._servers, self._hidden_seed = limits, servers, hidden_seed
        # {question: its flag} of answers that this Python cannot read.
        self._newer_python = {flag.cell: flag for flag in rebuilt.flags if flag.kind == Flag.NEWER_PYTHON}
        self._budget = OutputBudget(limits.output_kb)
        self._kernel: StudentKernel | None = None
        self._examiner: ExaminerProcess | None = None
        # By position, of cells that are not run whole; None: not at all.
        self._parts: dict[int, Part | None] = {}
        self._added_stops = 0
        self._seconds: dict[int, float] = {}  # by position, of each cell that ended well
        self._defining_seconds = 0.0  # of this kernel, on definitions after the cells' time was used up
        self._served_question = ""  # of the kernel's last test, while its agent answers the examiner
        self._question_seconds: dict[str, float] = {}  # seconds that the tests of each question have taken
        self._test_killed_kernel = False  # the last test has ended its kernel
        self._vain_retries = 0  # tests that were tried again, with the same end
        # The fields of `Transcript` and `Used`.
        self._outputs: dict[int, list[dict[str, Any]]] = {}
        self._verdicts = dict(verdicts)
        self._cell_seconds: dict[str, float] = {}
        self._all_cells_seconds = 0.0
        self._test_seconds: dict[str, float] = {}
        self._requests: dict[str, str] = {}
        self._memory_mb = 0.0
        self._undisturbed, self._by_clock, self._shared_limit = True, False, False
        self._flags: list[Note] = []
        self._stops: list[Note] = []

    def run(self) -> Transcript:
        """Run every cell, and every test that has no verdict; return the transcript. No process outlives this call."""
        try:
            for position, cell in enumerate(self._cells):
                if (test := cell.test) is not None:
                    if test.grade_id not in self._verdicts:
                        self._verdicts[test.grade_id] = self._test(position, test)
                elif cell.run:
                    self._execute(position, cell)
                elif cell.outputs:
                    self._outputs[position] = []
                    self._budget.put_saved(self._outputs[position], cell.outputs)
        finally:
            if self._kernel is not None:
                self._kernel.end()  # while the examiner ends
            self._drop_examiner()
            self._drop_kernel()
        return Transcript(
            outputs=self._outputs,
            verdicts=self._verdicts,
            used=Used(
                cell_seconds=self._cell_seconds,
                all_cells_seconds=self._all_cells_seconds,
                test_seconds=self._test_seconds,
                memory_mb=self._memory_mb,
                output_kb=self._budget.used_kb,
                requests=self._requests,
            ),
            undisturbed=self._undisturbed,
            by_clock=self._by_clock,
            shared_limit=self._shared_limit,
            flags=tuple(self._flags),
            stops=tuple(self._stops),
        )

    # Cells.

    def _execute(self, position: int, cell: RebuiltCell) -> None:
        self._leave_tests()
        kernel = self._kernel_at(position)
        if self._cells_left() <= 0:
            self._parts[position] = Part()
            self._outputs[position] = [
                _output_of(sentences.cells_out_of_time(self._limits.all_cells_seconds))
            ]
            self._run_again(kernel, position)
            return
        seconds = min(self._limits.cell_seconds, self._cells_left())
        execution = kernel.execute(
            cell.source,
            seconds,
            budget=self._budget,
            probe_names=self._probe_names(cell),
            is_students=cell.is_students,
        )
        self._all_cells_seconds += execution.seconds
        self._cell_seconds[self._cell_id(position)] = execution.seconds
        self._outputs[position] = mask_run_dependent(execution.outputs)
        if execution.ended == "ok":
            self._seconds[position] = execution.seconds
        else:
            stop = self._stop(position, execution)
            out_of_time = execution.ended == "timed_out" and seconds < self._limits.cell_seconds
            part = self._parts[position]
            kept = "nothing" if part is None else "above" if part.before else "definitions"
            line = execution.last.line if execution.last else 0
            limit = self._limits.all_cells_seconds if out_of_time else 0.0
            self._outputs[position].append(_output_of(sentences.cell_stopped(stop, line, kept, limit)))

    def _run_again(self, kernel: StudentKernel, position: int) -> None:
        """Run a cell again in a new kernel, or only a part of it."""
        cell, remaining = self._cells[position], self._cells_left()
        if remaining <= 0 and self._defining_seconds > DEFINE_SECONDS and cell.master is None:
            self._parts[position] = None
        part = self._parts.get(position, Part())
        if part is None:
            return
        names = self._probe_names(cell)
        if position not in self._parts and remaining > 0 and self._seconds[position] <= REPEAT_SECONDS:
            execution = kernel.execute(
                cell.source,
                min(self._limits.cell_seconds, remaining),
                budget=OutputBudget(0),  # its outputs are known
                probe_names=names,
                is_students=cell.is_students,
            )
        else:
            before = part.before if remaining > 0 else 0
            seconds = min(
                self._limits.cell_seconds, remaining or max(0.1, DEFINE_SECONDS - self._defining_seconds)
            )
            execution = kernel.define(cell.source, seconds, before=before, skip=part.skip, probe_names=names)
            self._defining_seconds += execution.seconds if remaining <= 0 else 0
        self._all_cells_seconds += execution.seconds
        if execution.ended != "ok":
            self._stop(position, execution)

    def _stop(self, position: int, execution: Execution) -> Note | None:
        """Record that a cell, or the part of it that was run, did not end well: from now on less of it is run.

        Returns:
            The stop, which is in the result; None if the cell ended with an error.
        """
        stop: Note | None = None
        last, part = execution.last, self._parts.get(position, Part())
        self._shared_limit |= execution.shared_limit
        if execution.ended != "error":
            self._undisturbed = False
            self._by_clock |= execution.ended == "timed_out"
            kind = (
                Stop.TIMED_OUT if execution.ended == "timed_out" else CELL_STOPS.get(execution.why, Stop.DIED)
            )
            stop = Note(kind, cell=self._cell_id(position), values=self._limits_of(kind))
            self._stops.append(stop)
        is_added = self._cells[position].master is None
        self._added_stops += is_added
        if last is not None or execution.ended != "error":  # a cell that is not Python has changed nothing
            self._drop_kernel()
        if last is None or part is None or (is_added and self._added_stops > MAX_ADDED_STOPS):
            self._parts[position] = None
            return stop
        if position in self._parts:  # stopped in a repeated statement, or later?
            before = part.before if last.number >= part.before else 0
        else:
            slow = last.seconds > REPEAT_SECONDS * self._servers.calibration.slowness
            large = last.memory_mb > LARGE_SHARE * self._limits.memory_mb
            before = 0 if slow or large or last.children else last.number
        skip = part.skip | {last.number}
        self._parts[position] = Part(before, skip) if len(skip) <= MAX_STOPS else None
        return stop

    def _limits_of(self, kind: Stop) -> Values:
        """Return the limit that a cell met, as the values of its note."""
        values = {
            "seconds": self._limits.cell_seconds,
            "memory_mb": self._limits.memory_mb,
            "scratch_mb": self._limits.scratch_mb,
        }
        return {name: values[name] for name in NOTE_VALUES.get(kind, {})}

    def _cell_id(self, position: int) -> str:
        """Return the grade id of a cell of the master, or its id if it has none; "" for one that the student added."""
        master = self._cells[position].master
        return (master.grade_id or master.cell_id) if master else ""

    def _probe_names(self, cell: RebuiltCell) -> Collection[str]:
        """Return the names whose values probes may use from this cell on: those that a setup cell defines."""
        return defined_names(cell.master.source) if cell.master in self._master.setup else ()

    def _cells_left(self) -> float:
        """Return the seconds that the cells still have together; 0 if at most 0.2 are left."""
        remaining = self._limits.all_cells_seconds - self._all_cells_seconds
        return remaining if remaining > 0.2 else 0.0

    # Tests.

    def _test(self, position: int, cell: Cell) -> Verdict:
        verdict = self._examine(position, cell)
        if not self._test_killed_kernel or self._vain_retries >= MAX_VAIN_RETRIES:
            return verdict
        # Was it the answer, or something that a student's cell had started? Retry with only the cells' definitions.
        parts = dict(self._parts)
        for earlier in range(position):
            if self._cells[earlier].run and self._cells[earlier].is_students:
                self._parts.setdefault(earlier, Part())
        if self._parts == parts:
            return verdict
        stops = len(self._stops)
        again = self._examine(position, cell)
        if not self._test_killed_kernel:
            return again
        self._vain_retries += 1
        self._parts = parts
        del self._stops[stops:]
        return verdict

    def _examine(self, position: int, cell: Cell) -> Verdict:
        """Run a test, and return its verdict."""
        program, question = compile_test(cell.source, self._master.solution_names), cell.question
        refused = self._master.from_scratch
        self._test_killed_kernel = False
        if self._served_question and refused[self._served_question] != refused[question]:
            self._leave_tests()
        remaining = self._limits.question_seconds - self._question_seconds.get(question, 0.0)
        if remaining <= 0:
            return _verdict(NOT_RUN, TestReason.NO_TIME_LEFT, {"seconds": self._limits.question_seconds})
        kernel = self._kernel_at(position)
        if self._examiner is None:  # its setup failed
            return _verdict(ERROR, TestReason.EXAMINER_LOST)
        if not self._served_question:
            kernel.serve(refused[question])
        self._served_question = question
        seconds = min(self._limits.test_seconds, remaining)
        references = compile_reference_definitions(self._master, question)
        seed = self._hidden_seed if cell.hidden else 0
        try:
            tested = self._examiner.test(program, references, seed, seconds, kernel)
        except ExaminerLost as reason:
            self._drop_examiner()
            self._flags.append(
                Note(Flag.EXAMINER_LOST, cell=cell.grade_id, values={"error": str(reason)[-300:]})
            )
            self._lose_to_test()
            return _verdict(ERROR, TestReason.EXAMINER_LOST)
        self._question_seconds[question] = self._question_seconds.get(question, 0.0) + tested.seconds
        self._test_seconds[cell.grade_id] = tested.seconds
        self._requests[cell.grade_id] = tested.requests
        self._shared_limit |= tested.shared_limit
        verdict = tested.verdict
        if not tested.intact:
            stop = TEST_STOPS.get(verdict.reason, Stop.TEST_BROKEN)
            if stop == Stop.TEST_TIMED_OUT:
                self._by_clock = True
                self._drop_examiner()
            elif kernel.died(seconds=1):
                self._test_killed_kernel, stop = True, Stop.TEST_DIED
            values = {"seconds": seconds} if stop == Stop.TEST_TIMED_OUT else {}
            self._stops.append(Note(stop, cell=cell.grade_id, values=values))
            self._lose_to_test()
        if question in self._newer_python and verdict.reason in (TestReason.UNDEFINED, TestReason.RAISED):
            because = sentences.message(TestReason.NEWER_PYTHON, self._newer_python[question].values)
            verdict = verdict._replace(outcome=NOT_RUN, reason=TestReason.NEWER_PYTHON, message=because)
        message = mask_run_dependent(verdict.message[: 2 * MAX_MESSAGE])[:MAX_MESSAGE]
        return verdict._replace(message=message, trace=mask_run_dependent(verdict.trace[:MAX_TRACE]))

    def _lose_to_test(self) -> None:
        """Drop the kernel, which the last test has cost."""
        self._undisturbed = False
        self._drop_kernel()

    def _lose_after_tests(self, ended: str) -> None:
        """Drop the kernel, lost after a test to something that the test had started."""
        self._stops.append(Note(AFTER_TEST_STOPS[ended], cell=self._served_question))
        self._by_clock |= ended == "timed_out"
        self._lose_to_test()

    def _leave_tests(self) -> None:
        """Make the kernel ready for the student's next cell."""
        if self._kernel is not None and self._served_question and (ended := self._kernel.leave()) != "ok":
            self._lose_after_tests(ended)
        self._served_question = ""

    # Kernels.

    def _kernel_at(self, position: int) -> StudentKernel:
        """Return a kernel that has run every cell before `position`, with an examiner unless its setup failed."""
        if self._kernel is not None and self._served_question and (ended := self._kernel.stopped_serving()):
            self._lose_after_tests(ended)
        while (kernel := self._kernel) is None:
            kernel = self._start()
            for earlier in range(position):
                if self._cells[earlier].run:
                    self._run_again(kernel, earlier)
                if self._kernel is None:  # it was lost once more
                    break
        return kernel

    def _start(self) -> StudentKernel:
        if self._examiner is None:
            self._examiner = ExaminerProcess(self._master, self._limits, self._servers)
        names = [name for names in self._master.from_scratch.values() for name in names]
        seconds = backstop_seconds(self._limits, len(self._master.questions))
        self._kernel = StudentKernel(
            self._servers, self._limits, tuple(dict.fromkeys(names)), seconds, self._folder
        )
        self._defining_seconds = 0.0
        try:
            self._examiner.attach(self._kernel)
        except SetupFailed as reason:  # the kernel runs all the same, and its output shows the error
            self._flags.append(Note(Flag.SETUP_FAILED, values={"error": str(reason)[-300:]}))
            self._drop_examiner()
        except ExaminerLost as reason:
            raise ServerLost(f"An examiner was lost before its first test ({reason}).") from reason
        return self._kernel

    def _drop_kernel(self) -> None:
        """End the kernel, if there is one.

        Raises:
            ServerLost: Linux had ended it for lack of memory, perhaps because of another process: the submission has to
                be graded again.
        """
        if self._kernel is not None:
            self._memory_mb = max(self._memory_mb, self._kernel.memory_mb())
            self._kernel.close()
            ended, self._kernel = self._kernel.process.ended, None
            if ended == ("exited", -signal.SIGKILL) and self._servers.ran_out_of_memory():
                raise ServerLost("The machine ran out of memory, and its system ended a kernel.")
        self._served_question = ""

    def _drop_examiner(self) -> None:
        if self._examiner is not None:
            self._examiner.close()
            self._examiner = None


def _output_of(text: str) -> dict[str, Any]:
    """Return an output that shows a sentence of the grader's below a cell."""
    return {"output_type": "stream", "name": "stderr", "text": text + "\n"}


def _verdict(outcome: Outcome, reason: TestReason, values: Values | None = None) -> Verdict:
    return Verdict(outcome, reason, sentences.message(reason, values or {}))
