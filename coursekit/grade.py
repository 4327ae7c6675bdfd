"""grade(master, submission) -> result: what one notebook is worth.

A pure function of two notebooks and the limits: it knows no database, no folder layout and no class. The order of
things is that of the student's own notebook: cells run in the master's order, and each test is examined when its
turn comes, so that what a later cell does to a name cannot touch an earlier question.

Given what came out earlier, it repeats only what can come out otherwise: a verdict is kept as long as all that it
rests on is the same.
"""

import hashlib
import importlib.metadata
import json
import platform
import re
import select
import socket
import time
from contextlib import suppress
from dataclasses import astuple, dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import msgpack

from coursekit import frames, side_roads
from coursekit import result as words
from coursekit.course import Limits
from coursekit.examiner.program import Loan, Program, compile_loan, compile_test
from coursekit.kernels.client import PATIENCE, Clock, Lease, Servers, StudentKernel
from coursekit.master import TEST, Cell, Master, defined_names, fill
from coursekit.outputs import Room, steady
from coursekit.reader.client import read
from coursekit.repair import Rebuilt, RebuiltCell
from coursekit.result import Note, QuestionResult, Result, TestResult
from coursekit.submission import Submission

REMEMBER = "\n__import__('coursekit.student.agent').student.agent.remember({!r})"  # behind a setup cell
DEFINE = "__import__('coursekit.student.definitions').student.definitions.define({!r})"
MAX_KERNELS = 12  # a notebook that has used up so many is not worth another
MAX_LOST_PER_QUESTION = 2  # tests of one question that may cost a kernel before the rest is not run
MAX_MESSAGE = 2000  # characters for the student
MAX_REPLY = 1 << 20  # bytes that the examiner may say at once
PACKAGES = ("torch", "numpy", "matplotlib", "ipykernel", "ipython")  # whose versions marks depend on
ASK = "A person has to look at this: ask your instructor."
USED_UP = "Not run: the time or the attempts for this notebook are used up."


@dataclass
class Graded:
    """A result, and the notebook that was graded; where there was none to read, an empty one for the TA's mark."""

    result: Result
    notebook: bytes  # of the .ipynb file


def grade(
    master: Master,
    submission: bytes | Submission,
    limits: Limits,
    servers: Servers,
    earlier: Graded | None = None,
) -> Graded:
    """Grade one submission.

    Args:
        master: the instructor's notebook.
        submission: what the student handed in, whatever it is; bytes: of one file with the right name.
        limits: what it may use.
        servers: where its kernel and its examiner are forked.
        earlier: what came out for this student last time, whatever it was graded against. It changes how much is
            run, not what comes out.

    Raises:
        ServerLost: a process of ours died meanwhile: the submission is to be graded again.
        CourseError: this machine cannot fork kernels, or a test of the master is not Python. Nothing that a
            submission holds raises.
    """
    if isinstance(submission, bytes):
        with Submission.of_bytes({f"{master.name}.ipynb": submission}) as opened:
            return grade(master, opened, limits, servers, earlier)
    started = time.monotonic()
    rebuilt, reason = read(master, submission, limits, servers)
    submission.check_unchanged()
    if reason:
        result = _unreadable(master, rebuilt, reason)
        notebook = _blank(master, f"This submission could not be read. {reason}")
    else:
        program = _program(rebuilt, limits)
        digests = _digests(master, rebuilt, program, limits, servers.unsafe)
        run = Run(master, rebuilt, limits, servers)
        if earlier is None or not _keep_what_stands(run, program, digests, earlier):
            run = Run(master, rebuilt, limits, servers)
            run.run()
        result = _result(master, rebuilt, run, digests)
        notebook = _notebook(master, rebuilt, run)
    if servers.unsafe:
        result.flags.append(Note("unsafe", "", "Graded with --unsafe: the student's code was not confined."))
        result.needs_review = True
    result.hashes, result.receipts = hashes(master, submission, limits), submission.receipts
    result.seconds = round(time.monotonic() - started, 3)
    return Graded(result, notebook)


def late_imports(master: Master) -> list[str]:
    """What torch imports only when it is first used, and this master's cells use: better in the server, once.

    The first optimizer imports torch's compiler, which takes a second in each kernel.
    """
    cells = (cell for cell in master.cells if cell.kind == "code" and "skip-grading" not in cell.tags)
    return ["torch._dynamo"] if any(re.search(r"\boptim\b", cell.source) for cell in cells) else []


def _program(rebuilt: Rebuilt, limits: Limits) -> dict[int, list]:
    """{position: [source, whether it runs, outputs of one that does not]} of all cells that show what they did."""
    program = {}
    for position, item in enumerate(rebuilt.cells):
        if item.kind == "code" and not _is_test(item):
            saved: list[dict] = []
            Room(limits.output_kb).put_saved(saved, item.outputs)
            if item.run or saved:
                program[position] = [item.source, item.run, saved]
    return program


def _digests(
    master: Master, rebuilt: Rebuilt, program: dict[int, list], limits: Limits, unsafe: bool
) -> dict[str, str]:
    """{test: sha256 of all that its verdict rests on}.

    The tests share the program, what the examiner starts from, and the engine. A test's own are its source, its
    place among the cells of the program, and what its question refuses. Points, titles, prose and the other tests
    are not in it.
    """
    shared = [engine_digest(limits), unsafe, master.setup_source, master.names, list(program.values())]
    base = _digest(shared)
    refused = master.from_scratch
    return {
        item.master.grade_id: _digest(
            [
                base,
                sum(other < position for other in program),
                item.source,
                refused[item.master.question],
                compile_loan(master, item.master.question).code.hex(),
            ]
        )
        for position, item in enumerate(rebuilt.cells)
        if _is_test(item)
    }


@lru_cache(maxsize=100)
def _remember(source: str) -> str:
    """What runs behind a setup cell."""
    return REMEMBER.format(defined_names(source))


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()


def _is_test(item: RebuiltCell) -> bool:
    return item.master is not None and item.master.role == TEST


def _keep_what_stands(run: "Run", program: dict[int, list], digests: dict[str, str], earlier: Graded) -> bool:
    """Take the verdicts whose digest is known into the run, examine the others, and start no kernel for none.

    False where the run cannot be used and all has to be run: no verdict can be kept, something was cut or died, or
    the cells print something else than before, so that somebody's state (a random generator's, a counter's) may be
    in play.
    """
    known = {test.digest: (test.outcome, test.message) for test in earlier.result.tests if test.digest}
    run.verdicts = {test: known[digest] for test, digest in digests.items() if digest in known}
    before = _program_outputs(program, earlier.notebook)
    if not run.verdicts or before is None:
        return False
    if len(run.verdicts) == len(digests):
        run.outputs = before
        return True
    run.run()
    return run.undisturbed and before == {position: run.outputs.get(position, []) for position in program}


def _program_outputs(program: dict[int, list], notebook: bytes) -> dict[int, list] | None:
    """{position: what the cell showed} from an earlier graded notebook; None where it is not of this program."""

    def is_test(cell: dict) -> bool:
        grader = cell["metadata"].get("nbgrader", {})
        return bool(grader.get("grade") and not grader.get("solution"))

    earlier = [
        cell
        for cell in json.loads(notebook)["cells"]
        if cell["cell_type"] == "code" and not is_test(cell) and (cell["execution_count"] or cell["outputs"])
    ]
    if [source for source, _, _ in program.values()] != [cell["source"] for cell in earlier]:
        return None
    return {position: cell["outputs"] for position, cell in zip(program, earlier, strict=True)}


class ExaminerLost(Exception):
    """The examiner's process ended or does not answer."""


class Examiner:
    """The engine's end of one examiner process."""

    def __init__(self, master: Master, limits: Limits, servers: Servers):
        self._control, theirs = socket.socketpair()
        request = {"memory_mb": limits.memory_mb, "cpu_seconds": int(limits.total_seconds) + 10, "folder": ""}
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

    def test(self, test: Program, loan: Loan, seconds: float, kernel: StudentKernel) -> tuple[str, str, bool]:
        """Run a test cell: its outcome, its message, and whether the student kernel is still usable.

        The time limit counts the student kernel's work. The examiner has its own, for what it does itself with
        what came back (an endless iterator, say).

        Raises:
            ExaminerLost: no answer some time after that.
        """
        clock = kernel.clock(seconds)
        answered = select.poll()
        answered.register(self._control, select.POLLIN)
        self._send(["test", astuple(test), astuple(loan), PATIENCE * seconds])
        while not answered.poll(1000 * max(0.0, min(0.5, clock.left()))):
            if clock.left() <= 0:
                kernel.close()  # the examiner's question now ends with an error
                self._receive(30)
                message = f"Not finished after {seconds:g} seconds: is there an endless loop?"
                return words.TEST_TIMED_OUT, message, False
        outcome, message, intact = self._receive(30)
        return outcome, message, intact

    def close(self) -> None:
        self._control.close()
        self._lease.close()

    def _await_open(self) -> None:
        # The process starts while the kernel does; only now is there something to wait for.
        if not self._opened:
            _ = self._lease.pid  # else it cannot answer
            self._receive(60)
            self._opened = True

    def _send(self, command: list, descriptors: tuple[int, ...] = ()) -> None:
        try:
            frames.send(self._control, msgpack.packb(command), descriptors)
        except OSError as error:
            raise ExaminerLost(str(error)) from error

    def _receive(self, seconds: float) -> list[Any]:
        self._control.settimeout(seconds)
        try:
            status, *rest = msgpack.unpackb(frames.receive(self._control, MAX_REPLY))
        except (EOFError, OSError, frames.WireError) as error:
            raise ExaminerLost(str(error) or "it ended") from error
        if status != "ok":
            raise ExaminerLost(rest[0])
        return rest


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
        self._examiner: Examiner | None = None
        self._fatal: dict[int, int] = {}  # position of a cell -> how many kernels it has cost
        self._kernels = 0
        self._clock: Clock | None = None  # of this kernel; for all of them together there is one limit
        self._spent = 0.0  # seconds of that limit that earlier kernels have used up
        self._tested = ""  # question of the kernel's last test, while its agent still answers the examiner
        self._lost: dict[str, int] = {}  # question -> kernels that its tests have cost
        self.outputs: dict[int, list[dict]] = {}
        self.verdicts: dict[str, tuple[str, str]] = {}  # test -> (outcome, message)
        self.timed_out = False
        self.crashed = False
        self.flags: list[Note] = []

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
            if _is_test(cell):
                if cell.master.grade_id not in self.verdicts:
                    self.verdicts[cell.master.grade_id] = self._test(position, cell.master)
            elif cell.run:
                self._execute(position, cell)
            elif cell.outputs:
                self.outputs[position] = []
                self._room.put_saved(self.outputs[position], cell.outputs)

    def _execute(self, position: int, cell: RebuiltCell) -> None:
        self._leave_tests()
        if not self._ready(position):
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
        if self._fatal[position] == 1:
            text += " Its functions, classes and imports were kept."
            self.outputs.setdefault(position, []).append(_note_output(text))

    def _test(self, position: int, cell: Cell) -> tuple[str, str]:
        program = compile_test(cell.source, self._master.names)
        if self._lost.get(cell.question, 0) >= MAX_LOST_PER_QUESTION:
            return words.NOT_RUN, "Not run: earlier tests of this question did not end."
        refused = self._master.from_scratch
        if self._tested and refused[self._tested] != refused[cell.question]:
            self._leave_tests()
        if not self._ready(position):
            return words.NOT_RUN, USED_UP
        if not self._tested:
            self._kernel.serve(refused[cell.question])
        self._tested = cell.question
        try:
            outcome, message, intact = self._examiner.test(
                program,
                compile_loan(self._master, cell.question),
                self._within(self._limits.test_seconds),
                self._kernel,
            )
        except ExaminerLost as reason:
            self._drop_examiner()
            detail = f"The examiner was lost in this test ({str(reason)[-300:]})."
            self.flags.append(Note("examiner_lost", cell.grade_id, detail))
            outcome, message, intact = (
                words.ERROR,
                f"The test could not be finished. {ASK}",
                False,
            )
        if not intact:
            # A kernel that died takes a moment to be reported; one that hangs would not end by itself.
            self._lose_to_test(outcome != words.TEST_TIMED_OUT and self._kernel.died(1))
        self.timed_out |= outcome == words.TEST_TIMED_OUT
        return outcome, steady(message[: 2 * MAX_MESSAGE])[:MAX_MESSAGE]

    def _lose_to_test(self, died: bool) -> None:
        """The last test has cost the kernel."""
        self.crashed |= died
        self._lost[self._tested] = self._lost.get(self._tested, 0) + 1
        self._drop_kernel()

    def _leave_tests(self) -> None:
        """Make the kernel ready for the student's next cell."""
        if self._tested and (ended := self._kernel.leave()) != "ok":
            self._lose_to_test(ended == "died")
        self._tested = ""

    def _ready(self, position: int) -> bool:
        """Have a kernel that has run every cell before `position`, and an examiner for it."""
        if self._tested and (ended := self._kernel.astray()):
            self._lose_to_test(ended == "died")
        while self._kernel is None:
            if self._kernels >= MAX_KERNELS or self._left() <= 0:
                break
            self._kernels += 1
            if self._examiner is None:
                self._examiner = Examiner(self._master, self._limits, self._servers)
            names = [name for names in self._master.from_scratch.values() for name in names]
            self._kernel = StudentKernel(self._servers, self._limits, tuple(dict.fromkeys(names)))
            self._clock = self._kernel.clock(self._limits.total_seconds)
            try:
                self._examiner.attach(self._kernel)
            except ExaminerLost:
                self._drop_kernel()
                self._drop_examiner()
                continue
            self._replay(position)
        if self._left() <= 0:
            self.timed_out = True
            return False
        return self._kernel is not None

    def _replay(self, position: int) -> None:
        for earlier in range(position):
            cell = self._cells[earlier]
            if not cell.run or self._fatal.get(earlier, 0) > 1:
                continue
            source = DEFINE.format(cell.source) if earlier in self._fatal else self._code(cell)
            done = self._kernel.execute(source, self._within(self._limits.cell_seconds), Room(0))
            if done.ended in ("timed_out", "died"):
                self._lose_kernel(earlier, done.ended, done.why)
                return

    def _code(self, cell: RebuiltCell) -> str:
        """What the kernel executes for a cell."""
        return cell.source + (_remember(cell.master.source) if cell.master in self._master.setup else "")

    def _within(self, seconds: float) -> float:
        """A limit, cut to what is left for the whole notebook."""
        return max(0.1, min(seconds, self._left()))

    def _left(self) -> float:
        running = self._clock.spent() if self._clock is not None else 0.0
        return self._limits.total_seconds - self._spent - running

    def _drop_kernel(self) -> None:
        if self._kernel is not None:
            self._spent += self._clock.spent()
            self._kernel.close()
            self._kernel = self._clock = None
            self._tested = ""

    def _drop_examiner(self) -> None:
        if self._examiner is not None:
            self._examiner.close()
            self._examiner = None


def _note_output(text: str) -> dict:
    return {"output_type": "stream", "name": "stderr", "text": text + "\n"}


def _result(master: Master, rebuilt: Rebuilt, run: Run, digests: dict[str, str]) -> Result:
    tests = []
    for cell in master.cells:
        if cell.role == TEST:
            outcome, message = run.verdicts[cell.grade_id]
            tests.append(
                TestResult(
                    id=cell.grade_id,
                    question=cell.question,
                    points=cell.points,
                    score=cell.points if outcome == words.PASSED else 0.0,
                    outcome=outcome,
                    message=message,
                    hidden=cell.hidden,
                    # A verdict beside which something was cut or died may come out otherwise another time.
                    digest=digests[cell.grade_id] if run.undisturbed else "",
                )
            )
    touched = {item.master.grade_id: item.touched for item in rebuilt.cells if item.master is not None}
    questions = []
    for question in master.questions:
        if question.written:
            # A person has nothing to grade where nothing was written.
            score = None if touched[question.id] else 0.0
        else:
            score = sum((test.score for test in tests if test.question == question.id), 0.0)
        questions.append(QuestionResult(question.id, question.title, score, question.max_score))
    if run.crashed:
        status = words.CRASHED
    elif run.timed_out:
        status = words.TIMED_OUT
    else:
        status = words.REPAIRED if rebuilt.repairs else words.GRADED
    flags = [*rebuilt.flags, *side_roads.look(master, rebuilt.cells), *run.flags]
    return Result(
        student="",
        week=master.week,
        status=status,
        score=sum((test.score for test in tests), 0.0),
        max_score=master.max_score,
        needs_review=bool(flags) or any(question.score is None for question in questions),
        questions=questions,
        tests=tests,
        repairs=rebuilt.repairs,
        flags=flags,
    )


def _unreadable(master: Master, rebuilt: Rebuilt, reason: str) -> Result:
    result = _without_tests(master, words.UNREADABLE, reason)
    result.repairs = rebuilt.repairs
    result.flags = [*rebuilt.flags, Note("unreadable", "", reason)]
    return result


def engine_fault(master: Master, submission: Submission, limits: Limits, trace: str) -> Graded:
    """What a student gets when `grade` itself failed: an answer, and a flag for whoever mends the grader."""
    reason = f"The grader itself failed on this notebook. {ASK}"
    result = _without_tests(master, words.CRASHED, reason)
    result.flags.append(Note("engine_fault", "", trace[-2000:]))
    result.hashes, result.receipts = hashes(master, submission, limits), submission.receipts
    return Graded(result, _blank(master, reason))


def _without_tests(master: Master, status: str, reason: str) -> Result:
    """A result of a notebook of which nothing was run."""
    tests = [
        TestResult(cell.grade_id, cell.question, cell.points, 0.0, words.NOT_RUN, reason, cell.hidden)
        for cell in master.cells
        if cell.role == TEST
    ]
    questions = [QuestionResult(item.id, item.title, 0.0, item.max_score) for item in master.questions]
    return Result("", master.week, status, 0.0, master.max_score, True, questions, tests)


def _blank(master: Master, reason: str) -> bytes:
    """The released notebook with the reason on top: the formgrader can show it, and a TA can clear its flag."""
    notebook = json.loads(fill(master, {}))
    cell = {"cell_type": "markdown", "id": "unreadable", "metadata": {}, "source": reason}
    notebook["cells"].insert(0, cell)
    return _file(notebook)


def _notebook(master: Master, rebuilt: Rebuilt, run: Run) -> bytes:
    """The graded notebook, as nbgrader's formgrader and the feedback page read it."""
    cells = []
    executed = 0
    for position, item in enumerate(rebuilt.cells):
        metadata: dict[str, Any] = {}
        name = f"added-{position}"
        if item.master is not None:
            node = master.notebook.cells[item.master.index]
            metadata = node.metadata
            name = node.get("id", name)
        cell: dict[str, Any] = {
            "cell_type": item.kind,
            "id": name,
            "metadata": metadata,
            "source": item.source,
        }
        if item.kind == "code":
            outputs = run.outputs.get(position, [])
            if _is_test(item):
                outputs = _verdict_output(*run.verdicts[item.master.grade_id])
            executed += item.run
            cell |= {"execution_count": executed if item.run else None, "outputs": outputs}
        cells.append(cell)
    return _file({"nbformat": 4, "nbformat_minor": 5, "metadata": master.notebook.metadata, "cells": cells})


def _file(notebook: dict) -> bytes:
    """The bytes of a notebook. On one line: to indent is slow, and only programs read it."""
    text = json.dumps(notebook, ensure_ascii=False, sort_keys=True) + "\n"
    return text.encode("utf-8", "replace")


def _verdict_output(outcome: str, message: str) -> list[dict]:
    """How a test's outcome looks in the graded notebook."""
    if outcome == words.PASSED:
        return [{"output_type": "stream", "name": "stdout", "text": "passed\n"}]
    return [
        {"output_type": "error", "ename": outcome, "evalue": message, "traceback": [f"{outcome}: {message}"]}
    ]


def hashes(master: Master, submission: bytes | Submission, limits: Limits) -> dict[str, str]:
    """What a result depends on: equal hashes, equal marks."""
    handed_in = (
        submission.digest if isinstance(submission, Submission) else hashlib.sha256(submission).hexdigest()
    )
    return {
        "master": master.digest,
        "submission": handed_in,
        "engine": engine_digest(limits),
    }


@cache
def engine_digest(limits: Limits) -> str:
    """sha256 over the engine's code, its limits and the versions of what it runs on: all that marks depend on."""
    digest = hashlib.sha256(repr(limits).encode())
    root = Path(__file__).parent
    files = [
        root / name
        for name in (
            "grade.py",
            "outputs.py",
            "frames.py",
            "wire.py",
            "master.py",
            "result.py",
            "side_roads.py",
        )
    ]
    for folder in ("reader", "repair", "student", "examiner", "kernels", "sandbox"):
        files += sorted((root / folder).rglob("*.py"))
    for path in files:
        digest.update(path.read_bytes())
    digest.update(json.dumps(installed()).encode())
    return digest.hexdigest()


def installed() -> dict[str, str]:
    """Versions that marks depend on: {"Python": "CPython 3.11.2", package: its own}."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return {"Python": python} | {name: importlib.metadata.version(name) for name in PACKAGES}
