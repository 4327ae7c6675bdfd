"""One submission's way through a student kernel and an examiner, cell by cell, test by test.

What comes of it are outputs and verdicts; `outcome` makes a result and a notebook of them.
"""

import signal
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from coursekit.engine.coordinator.compiling import compile_reference_definitions, compile_test
from coursekit.engine.coordinator.examiner_client import ExaminerLost, ExaminerProcess, SetupFailed
from coursekit.engine.coordinator.kernel_client import Execution, StudentKernel
from coursekit.engine.coordinator.lease import ServerLost
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.shared.limits import DEFINE_SECONDS, MAX_STOPS, REPEAT_SECONDS, Limits, backstop_seconds
from coursekit.engine.shared.master import SOLUTION_CELL, Cell, Master, defined_names
from coursekit.engine.shared.outputs import OutputBudget, steady
from coursekit.engine.shared.rebuilt import Rebuilt, RebuiltCell
from coursekit.engine.shared.result import ERROR, NOT_RUN, STOPPED, Note, Verdict

MAX_OWN_STOPS = 50  # of the student's own cells together; after them nothing is run of one that stops
MAX_VAIN = 2  # tests that are tried again after the end of their kernel, with the same end
LARGE_SHARE = 0.2  # of the memory limit: statements that took more are not repeated
MAX_MESSAGE = 2000  # characters for the student
MAX_TRACE = 20_000  # characters of what the student's code gave in a test
ASK = "Somebody has to look at this: ask your instructor."
DEFINITIONS = "functions, classes, imports and plain values"
REASONS = {  # why a cell was stopped
    "memory": "it used more than {memory_mb} MiB of memory",
    "processes": "it started too many processes",
    "scratch": "it wrote more than {scratch_mb} MiB to the disk",
    "descriptors": "it opened too many sockets and pipes",
}


@dataclass(frozen=True)
class Part:
    """What is run of a cell that stopped, or that there was no time for, see `student.definitions.define`.

    Attributes:
        before: all statements before the one with this number; of the others what defines something.
        without: the numbers of those that are not run.
    """

    before: int = 0
    without: frozenset[int] = frozenset()


@dataclass
class Used:
    """How near a submission came to its limits.

    Attributes:
        cells: seconds of each cell of the master's, by its name; of a cell that did not end well, until it stopped.
        all_cells: seconds of all cells together, with what was repeated.
        tests: seconds of each test.
        memory_mb: MiB of the kernel that took most, its own threads among them.
        output_kb: KiB that are kept.
    """

    cells: dict[str, float] = field(default_factory=dict)
    all_cells: float = 0.0
    tests: dict[str, float] = field(default_factory=dict)
    memory_mb: float = 0.0
    output_kb: float = 0.0


class Run:
    """One submission on its way through the kernel and the examiner.

    What a test sees depends on what the cells define, not on how they ended. However a cell stops (by an error, its
    time, its memory, the end of the kernel), a new kernel runs the cells so far again, and of this one the statements
    before the one at which it stopped and, of those behind it, what defines something. Cells and tests have separate
    budgets: when the cells' is used up, the others are reduced to what they define, and every test still runs. A kernel
    that a test has cost is replaced in the same way.

    Attributes:
        outputs: of each cell that was run, by position.
        verdicts: by test.
        undisturbed: nothing was cut and nothing died, so the same would come out another time.
        by_clock: a time limit was met.
        shared_limit: the student's code met a limit that all processes of the machine share.
        stopped: a test was, or something that it had started.
        flags, stops: see `Result`.
    """

    def __init__(self, master: Master, rebuilt: Rebuilt, limits: Limits, servers: Servers):
        self._master, self._cells, self._limits, self._servers = master, rebuilt.cells, limits, servers
        self._room = OutputBudget(limits.output_kb)
        self._kernel: StudentKernel | None = None
        self._examiner: ExaminerProcess | None = None
        self._parts: dict[
            int, Part | None
        ] = {}  # by position, of cells that are not run whole; None: not at all
        self._own_stops = 0
        self._seconds: dict[int, float] = {}  # by position: what a cell took that ended well
        self._defining = (
            0.0  # seconds that this kernel has spent on definitions since there was time for no more
        )
        self._tested = ""  # question of the kernel's last test, while its agent still answers the examiner
        self._questions: dict[str, float] = {}  # seconds that the tests of each have taken
        self._died = False  # the last test has ended its kernel
        self._vain = 0  # tests that were tried again, with the same end
        self.outputs: dict[int, list[dict[str, Any]]] = {}
        self.verdicts: dict[str, Verdict] = {}
        self.used = Used()
        self.undisturbed, self.by_clock, self.shared_limit, self.stopped = True, False, False, False
        self.flags: list[Note] = []
        self.stops: list[Note] = []

    def run(self) -> None:
        """Run every cell, and every test that has no verdict. No process is left behind."""
        try:
            for position, cell in enumerate(self._cells):
                if (test := cell.test) is not None:
                    if test.grade_id not in self.verdicts:
                        self.verdicts[test.grade_id] = verdict = self._test(position, test)
                        self.stopped |= verdict.outcome == STOPPED
                elif cell.run:
                    self._execute(position, cell)
                elif cell.outputs:
                    self.outputs[position] = []
                    self._room.put_saved(self.outputs[position], cell.outputs)
        finally:
            if self._kernel is not None:
                self._kernel.end()  # while the examiner ends
            self._drop_examiner()
            self._drop_kernel()
            self.used.output_kb = self._room.used_kb

    # Cells.

    def _execute(self, position: int, cell: RebuiltCell) -> None:
        self._leave_tests()
        kernel = self._kernel_at(position)
        if self._cells_left() <= 0:
            self._parts[position] = Part()
            self.outputs[position] = [
                _note(
                    "Not run as a whole: the cells of this notebook had used up the "
                    f"{self._limits.all_cells_seconds:g} seconds of processor time that they have together. What this "
                    f"cell defines was kept: {DEFINITIONS}."
                )
            ]
            self._run_again(kernel, position)
            return
        seconds = min(self._limits.cell_seconds, self._cells_left())
        done = kernel.execute(cell.source, seconds, self._room, self._remembered(cell))
        self._count(done)
        self.used.cells[self._name(position)] = done.seconds
        self.outputs[position] = steady(done.outputs)
        if done.ended == "ok":
            self._seconds[position] = done.seconds
        else:
            self._stop(position, done)
            self.outputs[position].append(_note(self._about_stop(position, done, seconds)))

    def _run_again(self, kernel: StudentKernel, position: int) -> None:
        """Run a cell in a later kernel, or in part."""
        cell, left = self._cells[position], self._cells_left()
        if left <= 0 and self._defining > DEFINE_SECONDS and cell.master is None:
            self._parts[position] = None
        part = self._parts.get(position, Part())
        if part is None:
            return
        names = self._remembered(cell)
        if position not in self._parts and left > 0 and self._seconds[position] <= REPEAT_SECONDS:
            done = kernel.execute(cell.source, min(self._limits.cell_seconds, left), OutputBudget(0), names)
        else:
            before = part.before if left > 0 else 0
            seconds = min(self._limits.cell_seconds, left or max(0.1, DEFINE_SECONDS - self._defining))
            done = kernel.define(cell.source, seconds, before, part.without, names)
            self._defining += done.seconds if left <= 0 else 0
        self._count(done)
        if done.ended != "ok":
            self._stop(position, done)

    def _stop(self, position: int, done: Execution) -> None:
        """A cell, or what was run of it, did not end well: from now on less of it is run."""
        last, part = done.last, self._parts.get(position, Part())
        self.shared_limit |= done.shared_limit
        if done.ended != "error":
            self.undisturbed = False
            self.by_clock |= done.ended == "timed_out"
            kind = "timed_out" if done.ended == "timed_out" else done.why or "died"
            self.stops.append(
                Note(kind, self._name(position), f"This cell was stopped: {self._reason(done)}.")
            )
        own = self._cells[position].master is None
        self._own_stops += own
        if last is not None or done.ended != "error":  # what is no Python has changed nothing
            self._drop_kernel()
        if last is None or part is None or (own and self._own_stops > MAX_OWN_STOPS):
            self._parts[position] = None
            return
        if position in self._parts:  # in what was repeated, or behind it?
            before = part.before if last.number >= part.before else 0
        else:
            slow = last.seconds > REPEAT_SECONDS * self._servers.calibration.slowness
            large = last.memory_mb > LARGE_SHARE * self._limits.memory_mb
            before = 0 if slow or large or last.children else last.number
        without = part.without | {last.number}
        self._parts[position] = Part(before, without) if len(without) <= MAX_STOPS else None

    def _about_stop(self, position: int, done: Execution, seconds: float) -> str:
        """What the page says below a cell that did not end well."""
        part, line = self._parts[position], done.last.line if done.last else 0
        if done.ended == "timed_out" and seconds < self._limits.cell_seconds:
            reason = (
                f"the cells of this notebook have used up the {self._limits.all_cells_seconds:g} seconds of processor "
                "time that they have together"
            )
        else:
            reason = self._reason(done)
        if part is None:
            return f"This cell was stopped: {reason}. Nothing of it was kept."
        if part.before:
            return (
                f"This cell stopped at line {line}: {reason}. What it did above that line was kept, and what it "
                f"defines below it: {DEFINITIONS}."
            )
        return (
            f"This cell stopped at line {line}: {reason}. What it defines elsewhere was kept: {DEFINITIONS}."
        )

    def _reason(self, done: Execution) -> str:
        if done.ended == "error":
            return "it ended with an error"
        if done.ended == "timed_out":
            return f"it was not finished after {self._limits.cell_seconds:g} seconds of processor time"
        sentence = REASONS.get(done.why, "the kernel died while it was running")
        return sentence.format(memory_mb=self._limits.memory_mb, scratch_mb=self._limits.scratch_mb)

    def _name(self, position: int) -> str:
        master = self._cells[position].master
        return (master.grade_id or master.cell_id) if master else ""

    def _remembered(self, cell: RebuiltCell) -> Collection[str]:
        """The names that probes may use from this cell on."""
        is_setup = cell.master is not None and cell.master in self._master.setup
        return defined_names(cell.master.source) if is_setup and cell.master else ()

    def _count(self, done: Execution) -> None:
        self.used.all_cells += done.seconds

    def _cells_left(self) -> float:
        """Seconds that the cells still have together; 0 where hardly any are left."""
        left = self._limits.all_cells_seconds - self.used.all_cells
        return left if left > 0.2 else 0.0

    # Tests.

    def _test(self, position: int, cell: Cell) -> Verdict:
        verdict = self._examine(position, cell)
        if not self._died or self._vain >= MAX_VAIN:
            return verdict
        # Was it the answer, or what a cell of the student's has left running? Once more, with their definitions alone.
        parts = dict(self._parts)
        for earlier in range(position):
            if self._is_students(earlier):
                self._parts.setdefault(earlier, Part())
        if self._parts == parts:
            return verdict
        stops = len(self.stops)
        again = self._examine(position, cell)
        if not self._died:
            return again
        self._vain += 1
        self._parts = parts
        del self.stops[stops:]
        return verdict

    def _is_students(self, position: int) -> bool:
        """Whether a cell that runs is the student's own, or an answer."""
        cell = self._cells[position]
        return cell.run and (cell.master is None or cell.master.role == SOLUTION_CELL)

    def _examine(self, position: int, cell: Cell) -> Verdict:
        """Run a test."""
        program, question = compile_test(cell.source, self._master.names), cell.question
        refused = self._master.from_scratch
        self._died = False
        if self._tested and refused[self._tested] != refused[question]:
            self._leave_tests()
        left = self._limits.question_seconds - self._questions.get(question, 0.0)
        if left <= 0:
            return Verdict(
                NOT_RUN,
                f"Not run: the tests of this question had used up the {self._limits.question_seconds:g} seconds of "
                "processor time that they have together.",
            )
        kernel = self._kernel_at(position)
        if self._examiner is None:  # its setup failed
            return Verdict(ERROR, f"The test could not be finished. {ASK}")
        if not self._tested:
            kernel.serve(refused[question])
        self._tested = question
        try:
            tested = self._examiner.test(
                program,
                compile_reference_definitions(self._master, question),
                min(self._limits.test_seconds, left),
                kernel,
            )
        except ExaminerLost as reason:
            self._drop_examiner()
            detail = f"The examiner was lost in this test ({str(reason)[-300:]})."
            self.flags.append(Note("examiner_lost", cell.grade_id, detail))
            self._lose_to_test()
            return Verdict(ERROR, f"The test could not be finished. {ASK}")
        self._questions[question] = self._questions.get(question, 0.0) + tested.seconds
        self.used.tests[cell.grade_id] = tested.seconds
        self.shared_limit |= tested.shared_limit
        self.by_clock |= tested.timed_out
        verdict = tested.verdict
        if not tested.intact:
            if tested.timed_out:
                self._drop_examiner()
            else:
                self._died = kernel.died(1)
            kind = "timed_out" if tested.timed_out else "died" if self._died else verdict.outcome
            self.stops.append(Note(kind, cell.grade_id, verdict.message))
            self._lose_to_test()
        message = steady(verdict.message[: 2 * MAX_MESSAGE])[:MAX_MESSAGE]
        return verdict._replace(message=message, trace=steady(verdict.trace[:MAX_TRACE]))

    def _lose_to_test(self) -> None:
        """The last test has cost the kernel."""
        self.undisturbed = False
        self._drop_kernel()

    def _lose_behind_tests(self, ended: str) -> None:
        """What a test started has cost the kernel after the test."""
        detail = (
            "Something that this question's tests started in the student's code did not end, or ended Python."
        )
        self.stops.append(Note(ended, self._tested, detail))
        self.by_clock |= ended == "timed_out"
        self.stopped = True
        self._lose_to_test()

    def _leave_tests(self) -> None:
        """Make the kernel ready for the student's next cell."""
        if self._kernel is not None and self._tested and (ended := self._kernel.leave()) != "ok":
            self._lose_behind_tests(ended)
        self._tested = ""

    # Kernels.

    def _kernel_at(self, position: int) -> StudentKernel:
        """A kernel that has run every cell before `position`, with an examiner."""
        if self._kernel is not None and self._tested and (ended := self._kernel.astray()):
            self._lose_behind_tests(ended)
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
        self._kernel = StudentKernel(self._servers, self._limits, tuple(dict.fromkeys(names)), seconds)
        self._defining = 0.0
        try:
            self._examiner.attach(self._kernel)
        except SetupFailed as reason:  # the kernel runs all the same, and its output says what is wrong
            self.flags.append(Note("examiner_lost", "", f"The setup failed ({str(reason)[-300:]})."))
            self._drop_examiner()
        except ExaminerLost as reason:
            raise ServerLost(f"An examiner was lost before its first test ({reason}).") from reason
        return self._kernel

    def _drop_kernel(self) -> None:
        """End the kernel, if there is one.

        Raises:
            ServerLost: the system had ended it since the machine has no memory left, and so a neighbour may be the
                reason: the submission is to be graded again.
        """
        if self._kernel is not None:
            self.used.memory_mb = max(self.used.memory_mb, self._kernel.memory_mb())
            self._kernel.close()
            ended, self._kernel = self._kernel.lease.ended, None
            if ended == ("exited", -signal.SIGKILL) and self._servers.ran_out_of_memory():
                raise ServerLost("The machine ran out of memory, and its system ended a kernel.")
        self._tested = ""

    def _drop_examiner(self) -> None:
        if self._examiner is not None:
            self._examiner.close()
            self._examiner = None


def _note(text: str) -> dict[str, Any]:
    return {"output_type": "stream", "name": "stderr", "text": text + "\n"}
