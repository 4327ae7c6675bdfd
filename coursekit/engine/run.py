"""One submission's way through a student kernel and an examiner, cell by cell, test by test.

What comes of it are outputs and verdicts; `outcome` makes a result and a notebook of them.
"""

from functools import lru_cache
from typing import Any

from coursekit.engine.examiner.client import ExaminerLost, ExaminerProcess
from coursekit.engine.examiner.program import compile_loan, compile_test
from coursekit.engine.kernels.client import StudentKernel
from coursekit.engine.kernels.clock import Clock
from coursekit.engine.kernels.servers import Servers
from coursekit.engine.limits import Limits
from coursekit.engine.master import Cell, Master, defined_names
from coursekit.engine.outputs import Room, steady
from coursekit.engine.repair import Rebuilt, RebuiltCell
from coursekit.engine.result import ERROR, NOT_RUN, TEST_TIMED_OUT, Note, Verdict

REMEMBER = "\n__import__('coursekit.engine.student.agent').engine.student.agent.remember({!r})"  # behind a setup cell
DEFINE = "__import__('coursekit.engine.student.definitions').engine.student.definitions.define({!r})"
MAX_KERNELS = 12  # a notebook that has used up so many is not worth another
MAX_LOST_PER_QUESTION = 2  # tests of one question that may cost a kernel before the rest is not run
MAX_MESSAGE = 2000  # characters for the student
MAX_TRACE = 20_000  # characters of what the student's code gave in a test
ASK = "Somebody has to look at this: ask your instructor."
USED_UP = "Not run: the time or the attempts for this notebook are used up."


@lru_cache(maxsize=100)
def _remember(source: str) -> str:
    """What runs behind a setup cell."""
    return REMEMBER.format(defined_names(source))


class Run:
    """One submission on its way through the kernel and the examiner.

    A kernel that was lost (it died, or had to be killed because it would not end) is replaced: a new one runs
    the cells so far again. Of those that were fatal it only takes what they define, and where that was fatal too,
    nothing: so one bad cell costs at most its own question.
    """

    def __init__(self, master: Master, rebuilt: Rebuilt, limits: Limits, servers: Servers):
        self._master, self._cells, self._limits, self._servers = master, rebuilt.cells, limits, servers
        self._room = Room(limits.output_kb)
        self._kernel: StudentKernel | None = None
        self._examiner: ExaminerProcess | None = None
        self._fatal: dict[int, int] = {}  # position of a cell -> how many kernels it has cost
        self._kernels = 0
        self._clock: Clock | None = None  # of this kernel; for all of them together there is one limit
        self._spent = 0.0  # seconds of that limit that earlier kernels have used up
        self._tested = ""  # question of the kernel's last test, while its agent still answers the examiner
        self._lost: dict[str, int] = {}  # question -> kernels that its tests have cost
        self.outputs: dict[int, list[dict[str, Any]]] = {}
        self.verdicts: dict[str, Verdict] = {}  # by test
        self.timed_out = False
        self.crashed = False
        self.flags: list[Note] = []
        self.stops: list[Note] = []

    def run(self) -> None:
        """Run every cell, and every test that has no verdict. No process is left behind."""
        try:
            self._run()
        finally:
            if self._kernel is not None:
                self._kernel.end()  # while the examiner ends
            self._drop_examiner()
            self._drop_kernel()

    @property
    def undisturbed(self) -> bool:
        """Whether one kernel and one examiner lasted from the first cell to the last test."""
        return self._kernels <= 1 and not (self.timed_out or self.crashed or self._fatal or self._lost)

    def _run(self) -> None:
        for position, cell in enumerate(self._cells):
            if (test := cell.test) is not None:
                if test.grade_id not in self.verdicts:
                    self.verdicts[test.grade_id] = self._test(position, test)
            elif cell.run:
                self._execute(position, cell)
            elif cell.outputs:
                self.outputs[position] = []
                self._room.put_saved(self.outputs[position], cell.outputs)

    def _execute(self, position: int, cell: RebuiltCell) -> None:
        self._leave_tests()
        if not self._ready(position) or self._kernel is None:
            self.outputs[position] = [_note_output(USED_UP)]
            return
        done = self._kernel.execute(self._code(cell), self._within(self._limits.cell_seconds), self._room)
        self.outputs[position] = steady(done.outputs)
        if done.ended in ("timed_out", "died"):
            self._lose_kernel(position, done.ended, done.why)

    def _lose_kernel(self, position: int, ended: str, why: str) -> None:
        """A cell did not end, or ended the kernel."""
        self._fatal[position] = self._fatal.get(position, 0) + 1
        self._drop_kernel()
        if ended == "timed_out":
            self.timed_out = True
            text = f"Stopped: this cell was not finished after {self._limits.cell_seconds:g} seconds."
        else:
            self.crashed = True
            text = {
                "memory": f"Stopped: this cell used more than {self._limits.memory_mb} MiB of memory.",
                "processes": "Stopped: this cell started too many processes.",
                "scratch": "Stopped: this cell wrote too much to the disk.",
                "descriptors": "Stopped: this cell opened too many sockets and pipes.",
            }.get(why, "The kernel died while this cell was running.")
        master = self._cells[position].master
        kind = why or "died" if ended == "died" else ended
        self.stops.append(Note(kind, (master.grade_id or master.cell_id) if master else "", text))
        if self._fatal[position] == 1:
            text += " Its functions, classes and imports were kept."
            self.outputs.setdefault(position, []).append(_note_output(text))

    def _test(self, position: int, cell: Cell) -> Verdict:
        program = compile_test(cell.source, self._master.names)
        if self._lost.get(cell.question, 0) >= MAX_LOST_PER_QUESTION:
            return Verdict(NOT_RUN, "Not run: earlier tests of this question did not end.")
        refused = self._master.from_scratch
        if self._tested and refused[self._tested] != refused[cell.question]:
            self._leave_tests()
        if not self._ready(position) or self._kernel is None or self._examiner is None:
            return Verdict(NOT_RUN, USED_UP)
        if not self._tested:
            self._kernel.serve(refused[cell.question])
        self._tested = cell.question
        try:
            verdict, intact = self._examiner.test(
                program,
                compile_loan(self._master, cell.question),
                self._within(self._limits.test_seconds),
                self._kernel,
            )
        except ExaminerLost as reason:
            self._drop_examiner()
            detail = f"The examiner was lost in this test ({str(reason)[-300:]})."
            self.flags.append(Note("examiner_lost", cell.grade_id, detail))
            verdict, intact = Verdict(ERROR, f"The test could not be finished. {ASK}"), False
        if not intact:
            # A kernel that died takes a moment to be reported; one that hangs would not end by itself.
            died = verdict.outcome != TEST_TIMED_OUT and self._kernel.died(1)
            self.stops.append(Note("died" if died else verdict.outcome, cell.grade_id, verdict.message))
            self._lose_to_test(died)
        self.timed_out |= verdict.outcome == TEST_TIMED_OUT
        message = steady(verdict.message[: 2 * MAX_MESSAGE])[:MAX_MESSAGE]
        return verdict._replace(message=message, trace=steady(verdict.trace[:MAX_TRACE]))

    def _lose_to_test(self, died: bool) -> None:
        """The last test has cost the kernel."""
        self.crashed |= died
        self._lost[self._tested] = self._lost.get(self._tested, 0) + 1
        self._drop_kernel()

    def _lose_behind_tests(self, ended: str) -> None:
        """What a test started has cost the kernel after the test."""
        detail = (
            "Something that this question's tests started in the student's code did not end, or ended Python."
        )
        self.stops.append(Note(ended, self._tested, detail))
        self._lose_to_test(ended == "died")

    def _leave_tests(self) -> None:
        """Make the kernel ready for the student's next cell."""
        if self._kernel is not None and self._tested and (ended := self._kernel.leave()) != "ok":
            self._lose_behind_tests(ended)
        self._tested = ""

    def _ready(self, position: int) -> bool:
        """Have a kernel that has run every cell before `position`, and an examiner for it."""
        if self._kernel is not None and self._tested and (ended := self._kernel.astray()):
            self._lose_behind_tests(ended)
        while self._kernel is None:
            if self._kernels >= MAX_KERNELS or self._left() <= 0:
                break
            self._kernels += 1
            if self._examiner is None:
                self._examiner = ExaminerProcess(self._master, self._limits, self._servers)
            names = [name for names in self._master.from_scratch.values() for name in names]
            self._kernel = StudentKernel(self._servers, self._limits, tuple(dict.fromkeys(names)))
            self._clock = self._kernel.clock(self._limits.total_seconds)
            try:
                self._examiner.attach(self._kernel)
            except ExaminerLost:
                self._drop_kernel()
                self._drop_examiner()
                continue
            self._replay(self._kernel, position)
        if self._left() <= 0:
            self.timed_out = True
            if (
                used_up := Note(TEST_TIMED_OUT, "", "The time for the whole notebook was used up.")
            ) not in self.stops:
                self.stops.append(used_up)
            return False
        return self._kernel is not None

    def _replay(self, kernel: StudentKernel, position: int) -> None:
        for earlier in range(position):
            cell = self._cells[earlier]
            if not cell.run or self._fatal.get(earlier, 0) > 1:
                continue
            source = DEFINE.format(cell.source) if earlier in self._fatal else self._code(cell)
            done = kernel.execute(source, self._within(self._limits.cell_seconds), Room(0))
            if done.ended in ("timed_out", "died"):
                self._lose_kernel(earlier, done.ended, done.why)
                return

    def _code(self, cell: RebuiltCell) -> str:
        """What the kernel executes for a cell."""
        if cell.master is not None and cell.master in self._master.setup:
            return cell.source + _remember(cell.master.source)
        return cell.source

    def _within(self, seconds: float) -> float:
        """A limit, cut to what is left for the whole notebook."""
        return max(0.1, min(seconds, self._left()))

    def _left(self) -> float:
        running = self._clock.spent() if self._clock is not None else 0.0
        return self._limits.total_seconds - self._spent - running

    def _drop_kernel(self) -> None:
        if self._clock is not None:
            self._spent += self._clock.spent()
            self._clock = None
        if self._kernel is not None:
            self._kernel.close()
            self._kernel = None
            self._tested = ""

    def _drop_examiner(self) -> None:
        if self._examiner is not None:
            self._examiner.close()
            self._examiner = None


def _note_output(text: str) -> dict[str, Any]:
    return {"output_type": "stream", "name": "stderr", "text": text + "\n"}
