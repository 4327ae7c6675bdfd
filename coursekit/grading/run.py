"""Grading a class: every submission of a week, several at a time, and some of them twice.

A result on the disk (`result.json`, put in place last) is kept while master, submission, engine and `unsafe` are the
same, unless the grader itself failed or a time limit was met. A run may therefore be interrupted and repeated at any
time. Of an outdated result, only the tests whose outcome may change are run again.
"""

import errno
import fcntl
import itertools
import logging
import os
import resource
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from coursekit.course import student_id
from coursekit.course.config import Course, Week
from coursekit.engine.coordinator.digests import hashes
from coursekit.engine.coordinator.forked_process import NoTemporarySpace, ServerLost
from coursekit.engine.coordinator.outcome import Graded, engine_fault
from coursekit.engine.shared.errors import CourseError, Stopped
from coursekit.engine.shared.master import Master
from coursekit.engine.shared.reasons import Flag
from coursekit.engine.shared.result import Result
from coursekit.files import printable
from coursekit.grading.place import Attempt, Here, Place
from coursekit.grading.reference import check_reference
from coursekit.grading.store import Results, read_stored, store
from coursekit.intake.submissions import read_submission, students
from coursekit.progress import Progress, no_progress

DISK_ERRORS = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}  # full or read-only: no result can be written
LOCK_SECONDS = 3
MAX_AT_ONCE = 512  # submissions; one coordinator cannot serve more

logger = logging.getLogger(__name__)


@dataclass
class ClassRun:
    """The report of one call of `grade_class`."""

    results: Mapping[str, Result]  # of this run's students, new and kept; sorted
    fresh: set[str]  # students graded in this run; the others' results were up to date
    faulty: set[str]  # those of `fresh` on whom the grader itself failed: the next run tries again
    failed: dict[str, str]  # {student: why the submission could not be graded, or graded again}


def grade_class(
    course: Course,
    week: Week,
    *,
    place: Place | None = None,
    unsafe: bool = False,
    force: bool = False,
    only: list[str] | None = None,
    why: str = "",
    progress: Progress = no_progress,
) -> ClassRun:
    """Grade each submission without a current result, write `autograded/<student>/<week>/`, and return a report.

    Args:
        place: where to grade; default: on this machine.
        unsafe: grade without the sandbox; every result says so.
        force: grade also submissions that have a current result.
        only: grade only these students; default: all who handed in.
        why: the instructor's reason for grading again; students whose result or tests have changed read it.
        progress: called with (done, total) as submissions end; starts anew in each round of regrading.

    Raises:
        CourseError: the master is broken, or its own solutions do not get full marks; there are no submissions, or none
            of a student in `only`; this machine cannot confine student code and `unsafe` is not set; autograded/ cannot
            be written, or another run is writing there. Results written before are kept.
        Stopped: the fork servers do not start; the cluster cannot be used, or is lost.
        KeyboardInterrupt: submissions that are being graded get no result; results written before are kept.
    """
    master = course.master(week)
    chosen = only or students(course, week)
    if not chosen:
        raise CourseError(
            f"submitted/ holds nothing for {week.name}: expected submitted/<student>/{week.name}/."
        )
    fresh: set[str] = set()
    faulty: set[str] = set()
    failed: dict[str, str] = {}
    unchanged: list[str] = []
    waiting: list[str] = []

    def in_parallel(work: Callable[[str], None], group: list[str], capacity: Callable[[], int]) -> None:
        for student, reason in _in_parallel(work, group, capacity, progress):
            if reason:
                failed[student] = reason
            else:
                fresh.add(student)
                failed.pop(student, None)

    allow_open_files()
    with exclusive_lock(course.results):
        for student in chosen:
            if reason := student_id.problem(student):
                failed[student] = f"This folder's name cannot be a student's id. {reason}"
            elif not course.submitted(student, week).is_dir():
                raise CourseError(f"There is no folder submitted/{printable(student)}/{week.name}.")
            elif not force and _has_current_result(course, week, student, master, unsafe):
                unchanged.append(student)
            else:
                waiting.append(student)
        if waiting:
            with (place or Here()).week(course, week, master, unsafe) as grader:
                check_reference(course, week, master, unsafe, grader.grade_one)
                attempts: list[Attempt] = []  # of those who lost points, perhaps not by their own code
                one_by_one: list[str] = []  # students to be graded again, one at a time

                def keep(graded: Graded) -> None:
                    store(course, week, graded, why)
                    faulty.discard(graded.result.student)
                    if graded.result.faulty:
                        faulty.add(graded.result.student)

                def grade(student: str) -> None:
                    # Each thread reads its own, so that a whole class is never in memory at once.
                    before = None if force else read_stored(course, week, student)
                    if before and before.result.provisional:
                        before = None
                    with read_submission(course, week, student) as submission:
                        begun = time.monotonic()
                        try:
                            graded = grader.grade_one(submission, before)
                        except (NoTemporarySpace, ServerLost):
                            one_by_one.append(student)
                            raise
                        if graded.result.score < graded.result.max_score:
                            attempts.append(Attempt.of(graded, begun))
                        keep(graded)

                def grade_again(student: str) -> None:
                    logger.info("%s is graded again.", printable(student))
                    with read_submission(course, week, student) as submission:
                        try:
                            keep(grader.grade_one(submission, None))
                        except ServerLost as error:  # the submission itself may be the reason
                            keep(engine_fault(master, submission, course.limits, str(error)))

                in_parallel(grade, waiting, grader.capacity)
                unreliable = [attempt for attempt in attempts if grader.is_unreliable(attempt)]
                # Submissions that were only disturbed by a neighbour are graded again in parallel: they disturb no
                # other. The rest are graded one by one, since each may have used up a shared resource itself.
                disturbed = [
                    attempt.student
                    for attempt in unreliable
                    if not (attempt.by_clock or attempt.shared_limit)
                ]
                in_parallel(grade_again, disturbed, grader.capacity)
                one_by_one += [
                    attempt.student for attempt in unreliable if attempt.by_clock or attempt.shared_limit
                ]
                in_parallel(grade_again, one_by_one, lambda: 1)
    return ClassRun(Results(course, week, [*unchanged, *fresh]), fresh, faulty, failed)


def _has_current_result(course: Course, week: Week, student: str, master: Master, unsafe: bool) -> bool:
    """Return whether the stored result is up to date, made with this `unsafe`, and not provisional."""
    try:
        stored = read_stored(course, week, student)
        if stored is None or stored.result.provisional:
            return False
        if any(flag.kind == Flag.UNSAFE for flag in stored.result.flags) != unsafe:
            return False
        with read_submission(course, week, student) as submission:
            return hashes(master, submission, course.limits).items() <= stored.result.hashes.items()
    except Exception:  # grading it will report this
        return False


def allow_open_files() -> None:
    """Let this process open as many files as the system allows, since each submission may bring many of its own."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@contextmanager
def exclusive_lock(folder: Path) -> Iterator[None]:
    """Hold an exclusive lock on the folder, released however this process ends, so that no second run writes there.

    Raises:
        CourseError: another run holds the lock, or the folder cannot be written to.
    """
    try:
        folder.mkdir(exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise CourseError(f"{folder} cannot be used: {error.strerror}.") from error
    try:
        if not os.access(folder, os.W_OK):
            raise CourseError(
                f"{folder} cannot be written to. Make it writable and run the same command again."
            )
        try:
            _lock(descriptor)
        except BlockingIOError as error:
            raise CourseError(
                f"Another `course grade` is writing into {folder}. Wait until it has ended, and run the same "
                "command again: what it has graded is not graded twice."
            ) from error
        except OSError:  # a file system without locks; two runs waste time there, but write the same
            pass
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int) -> None:
    """Lock a folder; wait as long as `course serve` needs to put something into its place."""
    end = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


def _in_parallel(
    work: Callable[[str], None],
    waiting: list[str],
    capacity: Callable[[], int],
    progress: Progress,
) -> Iterator[tuple[str, str]]:
    """Call `work` for each student on threads, which mostly wait for kernels. Yield (student, why it failed or "").

    At most `capacity()` calls, which is never less than 1, run at a time.

    Raises:
        Stopped: a call raised it.
        CourseError: the disk is full or read-only.
    """
    pool = ThreadPoolExecutor(MAX_AT_ONCE)
    remaining, done = iter(waiting), 0
    running: dict[Future[None], str] = {}
    try:
        while True:
            for student in itertools.islice(remaining, max(0, min(capacity(), MAX_AT_ONCE) - len(running))):
                running[pool.submit(work, student)] = student
            if not running:
                break
            for future in wait(running, return_when="FIRST_COMPLETED").done:
                student = running.pop(future)
                try:
                    future.result()
                    reason = ""
                except Stopped:
                    raise
                except CourseError as error:
                    reason = str(error)
                except OSError as error:
                    reason = f"{error.filename or 'A file'} cannot be used: {error.strerror or error}."
                    if error.errno in DISK_ERRORS:
                        pool.shutdown(cancel_futures=True)
                        raise CourseError(
                            f"{reason} Make room and run the same command again: what was graded before is kept."
                        ) from error
                except Exception as error:  # an error on one submission must not stop the others
                    logger.debug("The grader failed on %s.", printable(student), exc_info=True)
                    reason = f"The grader failed on this submission: {error!s:.500} ({type(error).__name__})."
                yield student, reason
                done += 1
                progress(done, len(waiting))
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()
