"""`course grade` killed at random points, again and again: nothing is lost, nothing half-written is read."""

import os
import random
import shutil
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from folder import (
    RIGHT,
    WRONG,
    by_people,
    files,
    gradebook,
    hand_in,
    hand_in_class,
    mark_as_a_person,
    processes,
    results,
    run,
    start,
)
from small_course import HIDDEN, edit, make_course

SEED = 20
KILLS = int(os.environ.get("COURSE_KILLS", 12))  # at least; each series goes on until its class is done
SERIES = 2  # at a time, each with a class of its own
# When to kill: from this moment on, after a random part of so many seconds.
MOMENTS = {"start": 0.8, "warm-up": 2.5, "grading": 2.5, "recording": 1.2}


def first_part(course):
    hand_in_class(course)


def between(course):
    for number, student in enumerate(("s00", "s01", "s04", "s07")):
        mark_as_a_person(course, student, number + 0.5)


def second_part(course):
    """A test is edited, somebody hands in again, somebody comes late."""
    edit(course, "double-hidden", source=HIDDEN.replace("-3", "-4").replace("-6", "-8"))
    hand_in(course, "s02", WRONG)
    hand_in(course, "late", RIGHT)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """What must come out of each part: everything in autograded/ and in the gradebook, after runs without a kill."""
    course, _ = make_course(tmp_path_factory.mktemp("undisturbed"))
    first_part(course)
    assert run(course, "grade")[0] == 0
    first = files(course), gradebook(course)
    between(course)
    second_part(course)
    assert run(course, "grade")[0] == 0
    return first, (files(course), gradebook(course))


class Series:
    """Classes, one after the other, each graded under kills until it is done."""

    def __init__(self, number: int, root: Path, undisturbed):
        self.random = random.Random(SEED + number)
        self.root, self.undisturbed = root, undisturbed
        self.temporary = Path(tempfile.mkdtemp(prefix="kill", dir="/tmp"))  # short: sockets lie in it
        self.kills: Counter = Counter()
        self.classes = self.lost = 0
        self.errors: list[BaseException] = []
        self.thread = threading.Thread(target=self.work)

    def work(self):
        try:
            while sum(self.kills.values()) < KILLS / SERIES:
                self.one_class()
            self.nothing_is_left()
        except BaseException as error:
            self.errors.append(error)
        finally:
            shutil.rmtree(self.temporary, ignore_errors=True)

    def one_class(self):
        self.classes += 1
        folder = self.root / f"class{self.classes}"
        folder.mkdir()
        course, _ = make_course(folder)
        first_part(course)
        self.until_done(course)
        self.compare(course, 0)
        between(course)
        given = by_people(course)
        assert len(given) == 12
        second_part(course)
        self.until_done(course, given)
        self.compare(course, 1)
        print(f"class {self.classes} done: {self.kills}", flush=True)

    def compare(self, course, part):
        expected, book = self.undisturbed[part]
        found = files(course)
        different = [path for path in {**expected, **found} if expected.get(path) != found.get(path)]
        self.lost += len(different)
        assert not different, [(found.get(path), expected.get(path)) for path in different]
        assert gradebook(course) == book

    def until_done(self, course, given=()):
        """Run and kill, until a run ends by itself."""
        before = results(course)
        while True:
            fewest = min(self.kills[moment] for moment in MOMENTS)
            moment = self.random.choice([moment for moment in MOMENTS if self.kills[moment] == fewest])
            process = start(
                course, "grade", "--workers", "2", env=os.environ | {"TMPDIR": str(self.temporary)}
            )
            if self.wait_for(moment, process):
                time.sleep(self.random.random() * MOMENTS[moment])
            process.kill()
            _, errors = process.communicate()
            after = results(course)
            self.lost += len(set(before) - set(after))
            assert set(before) <= set(after)
            assert [row for row in given if row not in by_people(course)] == []
            before = after
            if process.returncode != -9:
                assert process.returncode == 0, errors
                return
            self.kills[moment] += 1
            print(f"killed in {moment}: {len(after)} results", flush=True)

    def wait_for(self, moment, process) -> bool:
        """Until the moment has come; False where the run ended before."""
        here = [self.folders()]
        begun = set(here[0])  # servers of a run that was killed may still be on their way out
        mine: set[Path] = set()
        while process.poll() is None:
            mine |= self.folders() - begun
            if (
                moment == "start"
                or (moment == "warm-up" and mine)
                or (moment == "grading" and any((path / "examiner.sock").exists() for path in mine))
                or (moment == "recording" and mine and not any(path.exists() for path in mine))
            ):
                return True
            time.sleep(0.005)
        return False

    def folders(self) -> set[Path]:
        return set(self.temporary.glob("course-servers-*"))

    def nothing_is_left(self):
        """Processes and folders of the killed runs go by themselves."""
        deadline = time.monotonic() + 60
        while (
            left := [*self.temporary.iterdir(), *processes(self.temporary)]
        ) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not left


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_killed_at_random_points(undisturbed, tmp_path, capsys):
    started = time.monotonic()
    series = [Series(number, tmp_path / str(number), undisturbed) for number in range(SERIES)]
    for one in series:
        one.root.mkdir()
        one.thread.start()
    for one in series:
        one.thread.join()
    kills = sum((one.kills for one in series), Counter())
    with capsys.disabled():
        where = ", ".join(f"{count} in {moment}" for moment, count in kills.items())
        print(
            f"\nkills of `course grade`: {kills.total()} ({where}; seeds {SEED} to {SEED + SERIES - 1}), "
            f"{sum(one.classes for one in series)} classes, lost {sum(one.lost for one in series)}, "
            f"{time.monotonic() - started:.0f} s"
        )
    for one in series:
        for error in one.errors:
            raise error
    assert kills.total() >= KILLS and all(kills[moment] >= 2 for moment in MOMENTS)
    assert sum(one.lost for one in series) == 0
