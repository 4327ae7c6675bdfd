"""Preview the changes of grading again, before anything is written: for use after a mistake in a test."""

import fcntl
import os
import shutil
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from coursekit.course.config import Course, Week
from coursekit.engine.shared.result import Result
from coursekit.gradebook.marks import marks
from coursekit.grading.place import Place
from coursekit.grading.run import grade_class
from coursekit.intake.submissions import graded_students
from coursekit.progress import Progress, no_progress

PREFIX, LOCK_FILE = ".preview-", ".alive"
ABANDONED_SECONDS = 60  # after which a folder without a lock belongs to no run


@dataclass(frozen=True)
class PointsChange:
    """A test whose points would change."""

    student: str
    question: str
    test: str
    before: float
    after: float
    kept: bool  # a person gave this test's points, so they stay


@dataclass
class Preview:
    """The changes that a run would make."""

    new: list[str] = field(default_factory=list)  # students who have no result yet
    again: list[str] = field(default_factory=list)  # students whose result would be recomputed
    examined: int = 0  # tests of these students that would be run
    tests: int = 0  # all tests of these students
    moves: list[PointsChange] = field(default_factory=list)  # by student, in the notebook's order
    failed: dict[str, str] = field(default_factory=dict)  # {student: why there would be no result}


def clear_killed_previews(course: Course) -> None:
    """Remove the folders of previews that were killed. A running preview holds a lock in its folder."""
    for folder in course.root.glob(f"{PREFIX}*"):
        try:
            with open(folder / LOCK_FILE, "rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except FileNotFoundError:  # killed at once, or just about to lock
            with suppress(OSError):
                if folder.is_dir() and time.time() - folder.stat().st_mtime > ABANDONED_SECONDS:
                    shutil.rmtree(folder, ignore_errors=True)
            continue
        except OSError:  # in use, or on a file system without locks
            continue
        shutil.rmtree(folder, ignore_errors=True)


def preview(
    course: Course,
    week: Week,
    *,
    place: Place | None = None,
    unsafe: bool = False,
    only: list[str] | None = None,
    progress: Progress = no_progress,
) -> Preview:
    """Grade in a temporary folder, with hard links to the results, and return the changes. It takes as long as grading.

    Raises:
        CourseError: as `grade_class`; or there are results, and the gradebook has none or cannot be read.
    """
    report = Preview()
    results = {
        student: Result.read(course.autograded(student, week) / "result.json")
        for student in graded_students(course, week)
    }
    before = {student: result for student, result in results.items() if result is not None}
    by_people = {row.student: row.by_people for row in marks(course, week)} if before else {}
    # On the same disk, for hard links: a result is replaced, never written into.
    with (
        tempfile.TemporaryDirectory(prefix=PREFIX, dir=course.root) as folder,
        open(Path(folder, "locked"), "wb") as lock_file,
    ):
        with suppress(OSError):
            fcntl.flock(lock_file, fcntl.LOCK_EX)
        os.rename(lock_file.name, Path(folder, LOCK_FILE))  # nobody sees it without its lock
        preview_course = replace(course, results_folder=Path(folder))
        for student in before:
            shutil.copytree(
                course.autograded(student, week),
                preview_course.autograded(student, week),
                copy_function=os.link,
            )
        run = grade_class(preview_course, week, place=place, unsafe=unsafe, only=only, progress=progress)
        report.failed = run.failed
        for student in sorted(run.fresh):
            after = run.results[student]
            if student not in before:
                report.new.append(student)
                continue
            report.again.append(student)
            known_digests = {test.digest for test in before[student].tests if test.digest}
            report.examined += sum(test.digest not in known_digests for test in after.tests)
            report.tests += len(after.tests)
            points_before = {test.id: test.score for test in before[student].tests}
            for test in after.tests:
                earlier = points_before.get(test.id, 0.0)
                if test.score != earlier:
                    report.moves.append(
                        PointsChange(
                            student=student,
                            question=test.question,
                            test=test.id,
                            before=earlier,
                            after=test.score,
                            kept=test.id in by_people.get(student, {}),
                        )
                    )
    return report
