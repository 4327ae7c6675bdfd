"""What grading again would change, before anything is written: for after a mistake in a test."""

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from coursekit.course.config import Course, Week
from coursekit.engine.shared.result import Result
from coursekit.gradebook.marks import marks
from coursekit.grading.place import Place
from coursekit.grading.run import grade_class
from coursekit.intake.submissions import graded


@dataclass(frozen=True)
class Move:
    """A test whose points would change."""

    student: str
    question: str
    test: str
    before: float
    after: float
    kept: bool  # a person has given this test's points, and they stay


@dataclass
class Preview:
    """What a run would do."""

    new: list[str] = field(default_factory=list)  # students who have no result yet
    again: list[str] = field(default_factory=list)  # students whose result would be recomputed
    examined: int = 0  # tests of theirs that would be run
    tests: int = 0  # tests that they have
    moves: list[Move] = field(default_factory=list)  # by student, in the notebook's order
    failed: dict[str, str] = field(default_factory=dict)  # {student: why there would be no result}


PREFIX, ALIVE = ".preview-", ".alive"
OLD = 60  # seconds after which a folder without a lock is nobody's


def clear_leftovers(course: Course) -> None:
    """Remove the folders of previews that were killed. One that is at work holds a lock in its own."""
    for folder in course.root.glob(f"{PREFIX}*"):
        try:
            with open(folder / ALIVE, "rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except FileNotFoundError:  # killed at once, or just about to lock
            with suppress(OSError):
                if folder.is_dir() and time.time() - folder.stat().st_mtime > OLD:
                    shutil.rmtree(folder, ignore_errors=True)
            continue
        except OSError:  # somebody's, or a file system without locks
            continue
        shutil.rmtree(folder, ignore_errors=True)


def preview(
    course: Course,
    week: Week,
    *,
    place: Place | None = None,
    unsafe: bool = False,
    only: list[str] | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Preview:
    """Grade a copy of the results, in a folder that is thrown away, and compare. It takes as long as the run itself.

    Raises:
        CourseError: as `grade_class`.
    """
    done = Preview()
    results = {
        name: Result.read(course.autograded(name, week) / "result.json") for name in graded(course, week)
    }
    before = {name: result for name, result in results.items() if result is not None}
    by_people = {row.student: row.by_people for row in marks(course, week)} if before else {}
    # On the same disk, so that nothing has to be copied: a result is replaced, never written into.
    with (
        tempfile.TemporaryDirectory(prefix=PREFIX, dir=course.root) as folder,
        open(Path(folder, "locked"), "wb") as alive,
    ):
        with suppress(OSError):
            fcntl.flock(alive, fcntl.LOCK_EX)
        os.rename(alive.name, Path(folder, ALIVE))  # nobody sees it without its lock
        there = replace(course, elsewhere=Path(folder))
        for name in before:
            shutil.copytree(
                course.autograded(name, week), there.autograded(name, week), copy_function=os.link
            )
        run = grade_class(there, week, place=place, unsafe=unsafe, only=only, progress=progress)
        done.failed = run.failed
        for name in sorted(run.fresh):
            after = run.results[name]
            if name not in before:
                done.new.append(name)
                continue
            done.again.append(name)
            known = {test.digest for test in before[name].tests if test.digest}
            done.examined += sum(test.digest not in known for test in after.tests)
            done.tests += len(after.tests)
            points = {test.id: test.score for test in before[name].tests}
            for test in after.tests:
                earlier = points.get(test.id, 0.0)
                if test.score != earlier:
                    kept = test.id in by_people.get(name, {})
                    done.moves.append(Move(name, test.question, test.id, earlier, test.score, kept))
    return done
