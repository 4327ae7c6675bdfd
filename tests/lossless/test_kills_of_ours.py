"""`kill -9` of whatever of ours runs, again and again: each student has the right result after at most one more run.

COURSE_KILLS=200 pytest -m slow tests/lossless/test_kills_of_ours.py
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
from folder import hand_in_class, processes, results, run, start
from ours import processes_of
from small_course import make_course

KILLS = int(os.environ.get("COURSE_KILLS", 8))  # at least; each class goes on until it is graded
SEED = 13
HERE, CLUSTER = ("--workers", "3"), ("--cluster", "local", "--workers", "2")
# How often which kind is chosen; where there is none of it, nothing is killed.
HERE_KINDS = {
    "student server": 2,
    "examiner server": 2,
    "reader server": 2,
    "guardian": 8,
    "examiner": 8,
    "reader": 4,
    "coordinator": 1,
}
CLUSTER_KINDS = HERE_KINDS | {"worker": 4}
MANY = 20  # kills of one run, before it is left alone


def marks(course) -> dict[str, dict]:
    """All that people see of each result: without what each run measures, and without what decides about a regrade."""
    found = {}
    for student, result in results(course).items():
        data = asdict(result)
        del data["seconds"], data["calibration"]
        for test in data["tests"]:
            del test["digest"]
        data["hashes"].pop("notebook")
        found[student] = data
    return found


class Kills:
    """Classes, one after the other, each graded under kills and then once more without."""

    def __init__(self, root: Path, expected: dict[str, dict]):
        self.random = random.Random(SEED)
        self.root, self.expected = root, expected
        self.temporary = Path(tempfile.mkdtemp(prefix="kill", dir="/tmp"))  # short: sockets lie in it
        self.kills: Counter = Counter()
        self.classes = self.late = 0  # students who needed the second run

    def one_class(self, where: tuple[str, ...], kinds: dict[str, int]) -> None:
        self.classes += 1
        folder = self.root / f"class{self.classes}"
        folder.mkdir()
        course, _ = make_course(folder)
        hand_in_class(course)
        process = start(
            course, "grade", *where, env=os.environ | {"TMPDIR": str(self.temporary)}, start_new_session=True
        )
        begun = self.kills.total()
        while process.poll() is None and self.kills.total() - begun < MANY:
            time.sleep(self.random.random())
            self.kill_one(process, kinds)
        _, errors = process.communicate(timeout=600)
        assert process.returncode in (0, 1, 2, -signal.SIGKILL), errors
        there = marks(course)
        self.late += sum(there.get(student) != wanted for student, wanted in self.expected.items())
        code, _, errors = run(course, "grade")
        assert code == 0, errors
        found = marks(course)
        wrong = {name for name in {**self.expected, **found} if found.get(name) != self.expected.get(name)}
        assert not wrong, [(found.get(name), self.expected.get(name)) for name in wrong]

    def kill_one(self, process, kinds: dict[str, int]) -> None:
        kind = self.random.choices(list(kinds), list(kinds.values()))[0]
        there = processes_of(process.pid)
        # Before the servers are warm, `test_kills.py` kills the coordinator.
        if kind in there and "student server" in there and process.poll() is None:
            try:
                os.kill(self.random.choice(there[kind]), signal.SIGKILL)
            except ProcessLookupError:
                return
            self.kills[kind] += 1

    def nothing_is_left(self) -> None:
        """No process; and no folder but of those that were killed together with all who could have removed it."""
        deadline = time.monotonic() + 60
        while (left := processes(self.temporary)) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not left


@pytest.mark.slow
@pytest.mark.timeout(6000)
def test_whatever_of_ours_is_killed(tmp_path, capsys):
    started = time.monotonic()
    (tmp_path / "undisturbed").mkdir()
    course, _ = make_course(tmp_path / "undisturbed")
    hand_in_class(course)
    assert run(course, "grade")[0] == 0
    kills = Kills(tmp_path, marks(course))
    try:
        while kills.kills.total() < KILLS:
            on_cluster = kills.classes % 4 == 3
            kills.one_class(*((CLUSTER, CLUSTER_KINDS) if on_cluster else (HERE, HERE_KINDS)))
        kills.nothing_is_left()
    finally:
        folders = len([*kills.temporary.glob("course-*")])
        shutil.rmtree(kills.temporary, ignore_errors=True)
        with capsys.disabled():
            by_kind = ", ".join(f"{count} {kind}" for kind, count in sorted(kills.kills.items()))
            print(
                f"\nkills of ours: {kills.kills.total()} ({by_kind}; seed {SEED}), {kills.classes} classes of "
                f"{len(kills.expected)}, {kills.late} students needed the second run, {folders} folders left, "
                f"{time.monotonic() - started:.0f} s"
            )
