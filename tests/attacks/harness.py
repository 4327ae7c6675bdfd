"""One class of attackers, graded once by the real command, and what may be asked about it afterwards.

An attack is a file `<group>/<name>.py`, or `<week>/<group>/<name>.py` for another week than the first, with a docstring
and what is put into a notebook whose answers are all wrong: that one is worth 0 points, so whatever an attacker gets is
undeserved.

    CELL = code                a cell of its own before the first question, or before the one named in BEFORE
    BAIT_CELL = code           the same, for an attacker who knows the machine: see Bait.cell, also for CLOSED
    ANSWERS = {question: code} answers
    ANSWER = code              one answer to all questions, or to those in QUESTIONS; what it calls `give`, if anything,
                               is what all functions are that the questions ask for
    SPOIL = code               spoiled right answers to all questions: see content.spoil
    FILES = {path: content}    what lies beside the notebook: see Submission.files
    STUDENT = id               another student id
    def attack(submission)     for all else: it edits the submission

That an attack came to nothing counts only if it got to its point. Its code says so itself: it calls `reached()`, which
the harness puts in front of all code that does, where what it is about has happened (`reached(condition, …)`: and where
these hold). In the same way it provides code with the `connection` to the examiner. An attack by the form of the
notebook alone, which runs no code, says instead what is seen of it in the result.

    SHOWS = {"status": "repaired", "repairs": {"joined"}}     for an attack without code: what is seen, also "flags" and
                               "stops", which are empty if it does not say so
    AT_MOST = "probes"         for an attack that forges probes, or of whose answers a little is right: of each question
                               it may get a quarter, which is what may rest on probes
    REFUSED = True             for an attack that can have no result, only a sentence why there is none
    RACES = True               for an attack whose threads or processes race one another: which of them answers first is
                               chance, on one machine too, and so is how a test ends, but not its points
    WEEKS = "week[34]_*"       for an attack in `every_week/`: the weeks that it is for, if not all but the first
"""

import contextlib
import hashlib
import json
import os
import re
import secrets
import shutil
import stat
import subprocess
import sys
import time
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from types import ModuleType
from typing import Any

from cases import Notebook, load
from small_course import code as code_cell

from attacks.bait import Bait, differences
from attacks.content import spoil
from attacks.points import MARK, REACHED, Points
from coursekit.course.bank import read_bank
from coursekit.course.config import Course, Week, open_course
from coursekit.course.hidden_seed import hidden_seed
from coursekit.engine.shared.master import Master, fill
from coursekit.engine.shared.result import Result
from coursekit.engine.supervisor.process_tree import descendants
from coursekit.engine.supervisor.sandbox import linux

ROOT = Path(__file__).resolve().parent.parent.parent
HERE = Path(__file__).resolve().parent
WEEK = "week1_attention"
PROBES = 4  # one in so many points of a question may rest on probes, which the student's process can forge
WORKERS = 4  # attackers mostly wait for their limits
LIMITS = "\ncell_seconds = 2\nall_cells_seconds = 20\ntest_seconds = 1\n"

# Answers that run, give something of the right kind, and are wrong in every test.
WRONG = {
    "softmax": "def softmax(x, axis=-1):\n    return np.full(np.shape(x), 0.123, dtype=np.float32)",
    "attention": (
        "def scaled_dot_product_attention(Q, K, V, mask=None):\n"
        "    shape = (*Q.shape[:-1], K.shape[-2])\n"
        "    return torch.full((*Q.shape[:-1], V.shape[-1]), 0.123), torch.full(shape, 0.123)"
    ),
    "causal_mask": "def causal_mask(length):\n    return torch.zeros(length, length)",
    "padding_mask": (
        "def padding_mask(token_ids, pad_id):\n    return torch.zeros(len(token_ids), 1, token_ids.shape[1])"
    ),
    "scaling": (
        "def dot_product_variance(q, k, scaled):\n    return 0.123\n\n\n"
        "def softmax_entropy(weights):\n    return torch.full(weights.shape[:-1], 0.123)"
    ),
}
# In front of code that speaks of `connection`: the socket on which the examiner asks.
CONNECTION = """
import socket, struct, threading
import msgpack
from coursekit.engine.shared import frames
from coursekit.engine.kernel import agent
connection = agent._connection
"""


@dataclass(frozen=True)
class Link:
    """In a submission's files: a symbolic link."""

    target: str


class Submission(Notebook):
    """What one attacker hands in. `attack` may replace or edit every attribute.

    Attributes:
        student: the student's id, which is the name of the folder.
        notebook: the notebook as nbformat's JSON.
        data: the file's bytes, instead of the notebook.
        files: {path beside the notebook: bytes or a Link}. "." and ".." are the week's and the student's folder.
        bait: what the attacker knows of this machine.
        reference: {question: source} of right answers, for attacks that spoil them or answer only probes with them.
        mark: what its code leaves when it reaches its point; armed: whether any of its code says so.
    """

    def __init__(self, master: Master, student: str, bait: Bait | None):
        self.student, self.bait = student, bait
        self._names = {question.id: question.names for question in master.questions}
        self.reference = master.solutions
        self.mark, self.armed = MARK + secrets.token_hex(8), False
        self.notebook: dict[str, Any] = json.loads(fill(master, base(master)))
        self.data: bytes | None = None
        self.files: dict[str, bytes | Link] = {}

    def tests(self) -> list[dict[str, Any]]:
        """The cells of the tests and of the written answers."""
        return [cell for cell in self.cells if cell["metadata"].get("nbgrader", {}).get("grade")]

    def names(self, question: str) -> tuple[str, ...]:
        """What an answer to a question defines."""
        return self._names[question]

    def answer(self, question: str, code: str) -> None:
        """Fill in a solution cell."""
        self.cell(question)["source"] = self._armed(code)

    def add(self, code: str, before: str = "") -> dict[str, Any]:
        """Put a cell of the student's own before this one, the first question's when none is named; return it."""
        before = before or next(filter(None, map(_solution, self.cells)))
        cell = code_cell(f"own-{len(self.cells)}", self._armed(code))
        self.cells.insert(self.place(before), cell)
        return cell

    def _armed(self, code: str) -> str:
        if re.search(r"\(connection,|connection\.\w", code):
            code = CONNECTION + code
        if "reached(" not in code:
            return code
        self.armed = True
        return REACHED.format(mark=self.mark) + code

    def hand_in(self, folder: Path, name: str) -> None:
        """Write it all to a folder of its own: the notebook of this name, and what lies beside it."""
        whole = [path for path in (".", "..") if isinstance(self.files.get(path), Link)]
        if not whole:
            folder.mkdir(parents=True)
            data = json.dumps(self.notebook).encode() if self.data is None else self.data
            (folder / name).write_bytes(data)
        for path, content in self.files.items():
            place = Path(os.path.normpath(folder / path))
            place.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, Link):
                place.unlink(missing_ok=True)
                place.symlink_to(content.target)
            else:
                place.write_bytes(content)


def _solution(cell: dict) -> str:
    """The name of a solution cell, "" of another."""
    grader = cell["metadata"].get("nbgrader", {})
    return grader["grade_id"] if grader.get("solution") and not grader.get("grade") else ""


def base(master: Master) -> dict[str, str]:
    """Answers that are worth 0 points: wrong ones to the first week's questions, none to the others'."""
    return WRONG if master.week == WEEK else {}


@dataclass(frozen=True, eq=False)  # each is its own key
class Attack:
    """One file of this folder."""

    week: str
    group: str
    name: str
    module: ModuleType

    def says(self, name: str, otherwise: Any = None) -> Any:
        """What the file says under one of the names above."""
        return getattr(self.module, name, otherwise)

    @property
    def forges(self) -> bool:
        """Whether it answers probes itself, and so may get their share."""
        return self.says("AT_MOST") == "probes"

    @property
    def student(self) -> str:
        """The id it is handed in under, unless it takes another."""
        return f"{self.group}-{self.name}"

    def put_into(self, submission: Submission) -> None:
        """Edit the submission as the file says."""
        submission.files |= self.says("FILES", {})
        submission.student = self.says("STUDENT", submission.student)
        if (damage := self.says("SPOIL")) is not None:
            spoil(submission, damage)
        for question, code in self.says("ANSWERS", {}).items():
            submission.answer(question, code)
        if answer := self.says("ANSWER"):
            if re.search(r"^(def )?give\b", answer, re.MULTILINE):
                names = [name for question in WRONG for name in submission.names(question)]
                answer += f"\n{' = '.join(names)} = give\n"
            for question in self.says("QUESTIONS", WRONG):
                submission.answer(question, answer)
        if cell := self.says("CELL"):
            submission.add(cell, self.says("BEFORE", ""))
        if cell := self.says("BAIT_CELL"):
            submission.add(submission.bait.cell(cell, self.says("CLOSED", "()")))
        if attack := self.says("attack"):
            attack(submission)


def read_attacks(week: str = WEEK) -> list[Attack]:
    """Every attack on a week, sorted by group and name."""

    def read(folder: Path) -> list[Attack]:
        paths = sorted(folder.glob("*/*.py"))
        return [Attack(week, path.parent.name, path.stem, load(path)) for path in paths]

    every = [
        attack for attack in read(HERE / "every_week") if fnmatch(week, attack.says("WEEKS", "week[!1]_*"))
    ]
    return every + read(HERE if week == WEEK else HERE / week)


def make_folder(root: Path, limits: str = LIMITS, week: str = WEEK) -> Course:
    """A course folder with one week alone and these limits, and the command's folders `home` and `tmp` beside it."""
    for folder in (root, root.parent / "home", root.parent / "tmp"):
        folder.mkdir(parents=True)
    shutil.copy(ROOT / "nbgrader_config.py", root)
    settings, *weeks = (ROOT / "course.toml").read_text(encoding="utf-8").split("[[weeks]]")
    head = settings.split("[limits]")[0]
    (one,) = (item for item in weeks if f'"{week}"' in item)
    (root / "course.toml").write_text(f"{head}[limits]{limits}\n[[weeks]]{one}", encoding="utf-8")
    for folder in ("source", "answers"):
        shutil.copytree(ROOT / folder / week, root / folder / week)
    return open_course(root)


def neighbours(course: Course, week: Week) -> dict[str, bytes]:
    """Submissions that attack nothing, by student: all right, some wrong, nothing done, and the attackers' base."""
    master = course.master(week)
    right = master.solutions
    honest = {"a-neighbour": fill(master, right), "z-neighbour": fill(master, {})}
    if week.name == WEEK:
        bank = {answer.path.stem: answer for answer in read_bank(course, week)}
        partly = right | {"attention": bank["attention_no_scale"].source}
        del partly["scaling"]
        partly["why_three"] = "Because $Q = K$ makes the scores symmetric."
        honest["n-neighbour"] = fill(master, partly)
    return honest | {"base": fill(master, base(master))}


@dataclass
class ClassRun:
    """What one class of attackers came to.

    Attributes:
        ids: {attack: the student id it was handed in under}.
        marks: {attack: what its code leaves when it reaches its point}, of those whose code says so.
        reached: the marks that were seen.
        neighbours: the students who attack nothing.
        alone: {neighbour: {path: bytes}} of what grading wrote when only they were graded.
        answer: what `course grade --json` reported of the week.
        code: exit code of `course grade`.
        output: what it printed.
        traces: a sentence about each thing that an attacker reached.
    """

    course: Course
    week: Week
    secrets: tuple[str, ...] = ()
    neighbours: list[str] = field(default_factory=list)
    ids: dict[Attack, str] = field(default_factory=dict)
    marks: dict[Attack, str] = field(default_factory=dict)
    reached: set[str] = field(default_factory=set)
    alone: dict[str, dict[str, bytes]] = field(default_factory=dict)
    answer: dict[str, Any] = field(default_factory=dict)
    code: int = 0
    output: str = ""
    traces: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def result(self, student: str) -> Result | None:
        """What `course grade` gave one of them."""
        return Result.read(self.course.autograded(student, self.week) / "result.json")


def run_class(root: Path, attacks: list[Attack]) -> ClassRun:
    """Grade all of them, with a few neighbours, in a course folder of their own below `root`."""
    course = make_folder(root / "course")
    hidden_seed(course.root, "")  # makes the secret, so that hidden tests ask the same in both folders
    with Bait(root) as bait:
        shutil.copytree(course.root, root / "alone")
        alone = open_course(root / "alone")
        run = ClassRun(course, course.week(WEEK), tuple(bait.secrets))
        run.neighbours = _hand_in_neighbours(course, run.week)
        _hand_in_neighbours(alone, run.week)
        command(alone, bait, ["grade", "--workers", str(WORKERS)])
        run.alone = {student: outcome(alone, student) for student in run.neighbours}
        _hand_in(run, attacks, bait)
        before, living = tree(root), _living()
        _adopt_orphans(True)
        try:
            _grade(run, bait)
            run.traces = _left_running(living)
        finally:
            _adopt_orphans(False)
        run.traces += [*differences(before, tree(root)), *bait.traces()]
        if run.code in (0, 1):
            run.output += command(course, bait, ["feedback"]).stderr
    return run


def run_week(root: Path, name: str, attacks: list[Attack]) -> ClassRun:
    """Grade a class of attackers on the content of a week, with the week's own limits and no bait."""
    limits = (ROOT / "course.toml").read_text(encoding="utf-8").split("[limits]")[1].split("\n[")[0]
    course = make_folder(root / "course", limits, name)
    run = ClassRun(course, course.week(name))
    run.neighbours = _hand_in_neighbours(course, run.week)
    _hand_in(run, attacks, None)
    _grade(run, None)
    return run


def _hand_in_neighbours(course: Course, week: Week) -> list[str]:
    honest = neighbours(course, week)
    for student, data in honest.items():
        path = course.submitted(student, week) / f"{week.notebook}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
    return list(honest)


def _hand_in(run: ClassRun, attacks: list[Attack], bait: Bait | None) -> None:
    master = run.course.master(run.week)
    for attack in attacks:
        submission = Submission(master, attack.student, bait)
        before = json.dumps(submission.notebook)
        attack.put_into(submission)
        handed_in = json.dumps(submission.notebook), submission.student
        if handed_in == (before, attack.student) and submission.data is None and not submission.files:
            raise AssertionError(f"{attack.student} hands in what everybody hands in")
        run.ids[attack] = submission.student
        if submission.armed:
            run.marks[attack] = submission.mark
        submission.hand_in(run.course.submitted(submission.student, run.week), f"{run.week.notebook}.ipynb")


def _grade(run: ClassRun, bait: Bait | None) -> None:
    started = time.monotonic()
    with Points(run.course.root.parent / "tmp") as points:
        done = command(run.course, bait, ["grade", "--workers", str(WORKERS), "--json"])
    run.seconds = time.monotonic() - started
    run.reached = points.seen
    run.code, run.output = done.returncode, done.stdout + done.stderr
    if run.code in (0, 1):
        run.answer = json.loads(done.stdout.splitlines()[-1])[run.week.name]


def command(course: Course, bait: Bait | None, arguments: list[str]) -> subprocess.CompletedProcess:
    """The command `course`, with a home and a folder for temporary files of its own."""
    root = course.root.parent
    environment = os.environ | {"HOME": str(root / "home"), "TMPDIR": str(root / "tmp")}
    line = [str(Path(sys.executable).with_name("course")), *arguments]
    return subprocess.run(
        bait.command(line) if bait else line,
        cwd=course.root,
        env=environment | (bait.environment if bait else {}),
        pass_fds=bait.descriptors if bait else (),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=900,
    )


def outcome(course: Course, student: str) -> dict[str, bytes]:
    """{path below autograded/: bytes} of one student, without what each run measures anew."""
    found = {}
    folder = course.root / "autograded"
    for path in sorted((folder / student).rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            if path.name == "result.json":
                content = json.loads(data)
                del content["seconds"], content["calibration"]
                data = json.dumps(content).encode()
            found[str(path.relative_to(folder))] = data
    return found


# What an attack may leave.


def _adopt_orphans(adopt: bool) -> None:
    """Have every process that loses its parent come to this one, so that none can hide."""
    linux.prctl(linux.PR_SET_CHILD_SUBREAPER, int(adopt))


def _living() -> set[int]:
    """Every process below this one that has not ended."""
    found = set()
    for pid in descendants(os.getpid()):
        with contextlib.suppress(OSError):
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
                found.add(pid)
    return found


def _left_running(before: set[int]) -> list[str]:
    """Processes that the commands left. What is just ending gets a minute."""
    deadline = time.monotonic() + 60
    while (left := _living() - before) and time.monotonic() < deadline:
        time.sleep(0.1)
    return [f"Process {pid} was left running: {_command_line(pid)}" for pid in sorted(left)]


def _command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")[:200]
    except OSError:
        return "it has ended"


def tree(root: Path) -> dict[str, str]:
    """What lies below a folder, but for what grading itself writes: {path: type, rights and hash}."""
    written = {root / "course" / name for name in ("autograded", "feedback", "gradebook.db")}
    found = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if Path(folder, name) not in written]
        for name in (*folders, *names):
            path = Path(folder, name)
            if path in written:
                continue
            status = path.lstat()
            content = ""
            if stat.S_ISREG(status.st_mode):
                content = hashlib.sha256(path.read_bytes()).hexdigest()
            elif stat.S_ISLNK(status.st_mode):
                content = os.readlink(path)
            found[str(path.relative_to(root))] = f"{status.st_mode:o} {status.st_uid} {content}"
    return found
