"""`kill -9` of `course grade` and of its processes, again and again: nothing is lost, no half-written file is read.

COURSE_KILLS=200 pytest -m slow tests/lossless/test_kills.py
"""

import os
import random
import shutil
import signal
import tempfile
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import pytest
from folder import (
    WRONG,
    by_people,
    files,
    gradebook,
    hand_in_class,
    mark_as_a_person,
    processes,
    results,
    run,
    start,
)
from ours import processes_of
from small_course import HIDDEN, edit, hand_in, make_course

pytestmark = [pytest.mark.slow, pytest.mark.timeout(6000)]
SEED = 20
KILLS = int(os.environ.get("COURSE_KILLS", 10))  # at least, in each test; a class goes on until it is graded
# When to kill the command: from this moment on, after a random part of so many seconds.
MOMENTS = {"start": 0.8, "warm-up": 2.5, "grading": 2.5, "recording": 1.2}
# How often which kind of process is chosen; where there is none of it, nothing is killed.
KINDS = {
    "student server": 2,
    "examiner server": 2,
    "reader server": 2,
    "guardian": 8,
    "examiner": 8,
    "reader": 4,
}
KINDS |= {"coordinator": 1}
PLACES = [(("--workers", "3"), KINDS)] * 3 + [
    (("--cluster", "local", "--workers", "2"), KINDS | {"worker": 4})
]
MANY = 20  # kills of one run, before it is left alone


class Kills:
    """Makes classes, one after the other, and counts what was killed."""

    def __init__(self, root: Path):
        self.random, self.root, self.counts, self.classes = random.Random(SEED), root, Counter(), 0
        self.temporary = Path(tempfile.mkdtemp(prefix="kill", dir="/tmp"))  # short: it holds sockets

    def new_class(self):
        self.classes += 1
        folder = self.root / f"class{self.classes}"
        folder.mkdir()
        course, _ = make_course(folder)
        hand_in_class(course)
        return course

    def start(self, course, *arguments):
        environment = os.environ | {"TMPDIR": str(self.temporary)}
        return start(course, "grade", *arguments, env=environment, start_new_session=True)

    def wait_until_gone(self, left):
        deadline = time.monotonic() + 60
        while left() and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not left()


@pytest.fixture
def kills(tmp_path, announce, request):
    made = Kills(tmp_path)
    yield made
    shutil.rmtree(made.temporary, ignore_errors=True)
    announce(f"{request.node.name}: {made.classes} classes, killed {dict(made.counts)}")


def second_part(course):
    """Marks are given, a test is edited, one student hands in again, another hands in late."""
    for number, student in enumerate(("s00", "s01", "s04", "s07")):
        mark_as_a_person(course, student, number + 0.5)
    edit(course, "double-hidden", source=HIDDEN.replace("-3", "-4").replace("-6", "-8"))
    hand_in(course, "s02", WRONG)
    hand_in(course, "late")


def graded(course):
    return files(course), gradebook(course)


def test_the_command_is_killed_at_any_moment(kills):
    course, expected = kills.new_class(), []
    for prepare in (lambda _: None, second_part):
        prepare(course)
        assert run(course, "grade")[0] == 0
        expected.append(graded(course))
    while kills.counts.total() < KILLS or min(kills.counts[moment] for moment in MOMENTS) < 2:
        course = kills.new_class()
        for prepare, wanted in zip((lambda _: None, second_part), expected, strict=True):
            prepare(course)
            grade_under_kills(kills, course)
            assert graded(course) == wanted
    kills.wait_until_gone(lambda: [*kills.temporary.iterdir(), *processes(kills.temporary)])


def grade_under_kills(kills, course):
    """Run and kill, until a run ends by itself."""
    before, people = results(course), by_people(course)
    while True:
        fewest = min(kills.counts[moment] for moment in MOMENTS)
        moment = kills.random.choice([moment for moment in MOMENTS if kills.counts[moment] == fewest])
        process = kills.start(course, "--workers", "2")
        if wait_for(moment, process, kills.temporary):
            time.sleep(kills.random.random() * MOMENTS[moment])
        process.kill()
        _, errors = process.communicate()
        after = results(course)
        assert set(before) <= set(after) and by_people(course) == people
        before = after
        if process.returncode != -signal.SIGKILL:
            assert process.returncode == 0, errors
            return
        kills.counts[moment] += 1


def wait_for(moment, process, temporary) -> bool:
    """Wait until the moment has come; False where the run ended before."""

    def folders():
        return set(temporary.glob("course-servers-*"))

    earlier, mine = folders(), set()  # servers of a run that was killed may not have ended yet
    while process.poll() is None:
        mine |= folders() - earlier
        if {
            "start": True,
            "warm-up": bool(mine),
            "grading": any((path / "examiner.sock").exists() for path in mine),
            "recording": mine and not any(path.exists() for path in mine),
        }[moment]:
            return True
        time.sleep(0.005)
    return False


def marks(course) -> dict[str, dict]:
    """Return what people see of each result: without what each run measures, and what only decides about a regrade."""
    found = {student: asdict(result) for student, result in results(course).items()}
    for data in found.values():
        del data["seconds"], data["calibration"], data["hashes"]["notebook"]
        for test in data["tests"]:
            del test["digest"]
    return found


def test_whatever_of_ours_is_killed_one_more_run_completes_the_class(kills):
    course = kills.new_class()
    assert run(course, "grade")[0] == 0
    expected = marks(course)
    while kills.counts.total() < KILLS:
        where, kinds = PLACES[(kills.classes - 1) % len(PLACES)]
        course = kills.new_class()
        process, begun = kills.start(course, *where), kills.counts.total()
        while process.poll() is None and kills.counts.total() - begun < MANY:
            time.sleep(kills.random.random())
            kill_one(kills, process, kinds)
        _, errors = process.communicate(timeout=600)
        assert process.returncode in (0, 1, 2, -signal.SIGKILL), errors
        code, _, errors = run(course, "grade")
        assert code == 0, errors
        assert marks(course) == expected
    # Folders may stay, of processes that were killed together with all that could have removed them.
    kills.wait_until_gone(lambda: processes(kills.temporary))


def kill_one(kills, process, kinds):
    kind = kills.random.choices(list(kinds), list(kinds.values()))[0]
    there = processes_of(process.pid)
    # Before the servers are warm, the test above kills the coordinator.
    if kind in there and "student server" in there and process.poll() is None:
        try:
            os.kill(kills.random.choice(there[kind]), signal.SIGKILL)
        except ProcessLookupError:
            return
        kills.counts[kind] += 1
