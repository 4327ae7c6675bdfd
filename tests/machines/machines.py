"""The same class on machines that differ: what `course grade` comes to on each.

quiet      as this one is
busy       beside four busy processes for each core, with a quarter of the processor time
dear       memory is plentiful and time is short, so that what hoards memory is cut by the clock
cheap      memory is scarce and time is not, so that it meets the memory's limit
paused     every process stands still for half a minute in the middle, as in a virtual machine that is put aside
stopped    the command and what shares its terminal do, as after Ctrl-Z, while kernels run on
"""

import contextlib
import functools
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
from attacks.bait import Bait
from attacks.harness import Submission as Attacker
from attacks.harness import make_folder, read_attacks
from cases import load
from damage.harness import FIRST, read_damages
from damage.harness import Submission as Damaged
from honest.honest_class import HABITS
from small_course import copy_course

from coursekit.course.config import Course, open_course
from coursekit.engine.shared.result import Result

ROOT = Path(__file__).resolve().parent.parent.parent
PAUSE_SECONDS = 30
BUSY = 4  # processes for each core
QUOTA = 0.25  # of all cores


# Classes of the first week.


def demo(course: Course, submitted: Path) -> None:
    load(ROOT / "demo" / "make_class.py").make_class(course, submitted)


def honest(course: Course, submitted: Path) -> None:
    week = course.week(FIRST)
    for habit in HABITS:
        if habit.week == FIRST:
            _write(submitted / habit.name / FIRST / f"{week.notebook}.ipynb", habit.notebook(course))


def damaged(course: Course, submitted: Path) -> None:
    for damage in read_damages():
        if damage.week == FIRST:
            submission = Damaged(course, course.week(FIRST))
            damage.damage(submission)
            submission.hand_in(submitted / damage.student / FIRST)


def attacks(course: Course, submitted: Path) -> None:
    """Their notebooks alone. What the bait names has been there, and is gone when they are graded."""
    week = course.week(FIRST)
    with tempfile.TemporaryDirectory() as root:
        make_folder(Path(root, "course"))
        with Bait(Path(root)) as bait:
            for attack in read_attacks():
                submission = Attacker(course.master(week), attack.student, bait)
                attack.put_into(submission)
                data = submission.data or json.dumps(submission.notebook).encode()
                _write(submitted / attack.student / FIRST / f"{week.notebook}.ipynb", data)


CLASSES: dict[str, Callable[[Course, Path], None]] = {
    make.__name__: make for make in (demo, honest, damaged, attacks)
}


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(data)


def make_class(name: str, root: Path) -> Path:
    """A course folder with the first week and a class that has handed in."""
    copy_course(root, f"source/{FIRST}", f"answers/{FIRST}")
    CLASSES[name](open_course(ROOT), root / "submitted")
    return root


# Machines.


def grade(folder: Path, machine: str) -> dict[str, list]:
    """Grade the class in a folder as on a machine: {student: [points, (test, outcome) ...]}."""
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    with MACHINES[machine](folder) as run_in:
        process = subprocess.Popen(
            [*run_in, str(Path(sys.executable).with_name("course")), "grade", FIRST],
            cwd=folder,
            env=environment,
            start_new_session=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        thread = threading.Thread(target=_interrupt, args=(machine, process, folder))
        if machine in ("paused", "stopped"):
            thread.start()
        output, _ = process.communicate()
        if thread.ident is not None:
            thread.join()
    assert process.returncode in (0, 1), output[-3000:]
    found = {}
    for path in sorted(folder.glob(f"autograded/*/{FIRST}/result.json")):
        result = Result.read(path)
        assert result is not None, path
        outcomes = ((test.id, test.outcome) for test in result.tests)
        found[path.parent.parent.name] = [result.score, *outcomes]
    return found


def differences(one: dict[str, list], other: dict[str, list]) -> list[str]:
    """A line for each student who has other points or outcomes."""
    found = [f"{student}: only on one of them" for student in sorted(one.keys() ^ other.keys())]
    for student in sorted(one.keys() & other.keys()):
        if one[student] != other[student]:
            pairs = zip(one[student][1:], other[student][1:], strict=True)
            tests = [f"{mine[0]} {mine[1]}/{theirs[1]}" for mine, theirs in pairs if mine != theirs]
            found.append(f"{student}: {one[student][0]:g}/{other[student][0]:g} points; {', '.join(tests)}")
    return found


@contextlib.contextmanager
def _quiet(folder: Path) -> Iterator[list[str]]:
    yield []


@contextlib.contextmanager
def _limits(memory_mb: int, factor: float, folder: Path) -> Iterator[list[str]]:
    """Other memory and other times: as many tests fit into a question's as here."""
    names = ("cell_seconds", "test_seconds", "question_seconds")
    here = open_course(ROOT).limits
    path = folder / "course.toml"
    text = path.read_text(encoding="utf-8")
    for name, value in {
        "memory_mb": memory_mb,
        **{name: factor * getattr(here, name) for name in names},
    }.items():
        text, count = re.subn(rf"^{name} = .*$", f"{name} = {value}", text, flags=re.MULTILINE)
        assert count == 1, name
    path.write_text(text, encoding="utf-8")
    yield []


@contextlib.contextmanager
def _busy(folder: Path) -> Iterator[list[str]]:
    cores = os.cpu_count() or 1
    spinners = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True)
        for _ in range(BUSY * cores)
    ]
    try:
        with _quota(int(QUOTA * cores * 100_000)) as run_in:
            yield run_in
    finally:
        for process in spinners:
            process.kill()
            process.wait()


@contextlib.contextmanager
def _quota(microseconds: int) -> Iterator[list[str]]:
    """What to put in front of a command that is to have so many microseconds of processor time in each 0.1 s.

    All processes of the command are stopped again and again, since not every user may make a control group.
    """
    share = microseconds / 100_000 / (os.cpu_count() or 1)
    done = threading.Event()
    thread = threading.Thread(target=_throttle, args=(share, done))
    thread.start()
    try:
        yield []
    finally:
        done.set()
        thread.join()


def _throttle(share: float, done: threading.Event) -> None:
    """Let the commands that this process has started run for this share of each 0.2 s."""
    while not done.wait(0.2 * share):
        stopped = [process for child in _commands() for process in [child, *child.children(recursive=True)]]
        _signal(stopped, signal.SIGSTOP)
        time.sleep(0.2 * (1 - share))
        _signal(stopped, signal.SIGCONT)


def _commands() -> list[psutil.Process]:
    return [
        child
        for child in psutil.Process().children()
        if any(word.endswith("/course") for word in child.cmdline())
    ]


def _signal(processes: list[psutil.Process], number: int) -> None:
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.send_signal(number)


def _interrupt(machine: str, process: subprocess.Popen, folder: Path) -> None:
    """Stop processes for half a minute when a few results are there, and more are to come."""
    while process.poll() is None and len(list(folder.glob("autograded/*/*/result.json"))) < 10:
        time.sleep(0.01)
    command = psutil.Process(process.pid)
    stopped = [command, *command.children(recursive=True)]
    if machine == "stopped":
        stopped = [process for process in stopped if os.getpgid(process.pid) == command.pid]
    _signal(stopped, signal.SIGSTOP)
    time.sleep(PAUSE_SECONDS)
    _signal(stopped, signal.SIGCONT)


MACHINES: dict[str, Callable[[Path], contextlib.AbstractContextManager[list[str]]]] = {
    "quiet": _quiet,
    "busy": _busy,
    "dear": functools.partial(_limits, 8192, 0.27),
    "cheap": functools.partial(_limits, 512, 1.33),
    "paused": _quiet,
    "stopped": _quiet,
}
