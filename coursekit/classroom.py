"""Grading a class: every submission of a week through `grade`, several at a time, each once.

What is done is on disk (`result.json`, put in place last) and not done again as long as master, submission and
engine are the same. So a run may be interrupted at any moment and repeated at any time. Of what is out of date only
that is done again which can come out otherwise.
"""

import errno
import fcntl
import hashlib
import os
import re
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from coursekit import sandbox
from coursekit.course import Course, Limits, Week
from coursekit.errors import CourseError, Stopped
from coursekit.files import printable, write_together
from coursekit.grade import Graded, engine_fault, grade, hashes, late_imports
from coursekit.handin import read_submission
from coursekit.kernels.client import ServerLost, Servers
from coursekit.lanes import Lanes
from coursekit.master import Master
from coursekit.reference import check_reference
from coursekit.result import Result
from coursekit.submission import Submission

if TYPE_CHECKING:
    from coursekit.cluster import Cluster

STUDENT_ID = re.compile(r"[\w.@+-]{1,100}")  # what the formgrader's pages and every file system can hold
TRIES = 3  # of one submission, when processes of ours die with it in hand
PAUSE_SECONDS = 1  # before another: what took all processes or all memory is caught by then
NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}  # what keeps one result from the disk keeps every other


class Results(Mapping[str, Result]):
    """The results of a class by student, sorted: each is read from its file when it is asked for.

    So a class of any size takes no more memory than its students' names.
    """

    def __init__(self, course: Course, week: Week, names: list[str]):
        self._course, self._week = course, week
        self._names = dict.fromkeys(sorted(names))

    def __getitem__(self, student: str) -> Result:
        if student not in self._names:
            raise KeyError(student)
        path = self._course.autograded(student, self._week) / "result.json"
        result = Result.read(path)
        if result is None:
            raise CourseError(f"{path} is gone or damaged. Run `course grade {self._week.name}` again.")
        return result

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


@dataclass
class ClassRun:
    """What one call of `grade_class` did."""

    results: Mapping[str, Result]  # of every student with a result, sorted
    fresh: set[str]  # students graded in this run; the others' results were still good
    failed: dict[str, str]  # students without a result, and why: the next run tries again


def students(course: Course, week: Week) -> list[str]:
    """Who handed in something for this week, sorted."""
    folder = course.root / "submitted"
    if not folder.is_dir():
        return []
    return sorted(
        entry.name
        for entry in folder.iterdir()
        if not entry.name.startswith(".") and not entry.is_symlink() and (entry / week.name).is_dir()
    )


def grade_class(
    course: Course,
    week: Week,
    *,
    workers: int | None = None,
    unsafe: bool = False,
    cluster: "Cluster | None" = None,
    force: bool = False,
    only: list[str] | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> ClassRun:
    """Grade what is new, and write `autograded/<student>/<week>/`.

    Args:
        workers: submissions at a time; default: one more than there are cores.
        unsafe: without the sandbox. Every result says so.
        cluster: grade there, and not on this machine; it knows how many at a time.
        force: also what has a good result already.
        only: these students alone.
        progress: called with (done, total) as submissions end.

    Raises:
        CourseError: no submissions; this machine cannot confine student code and `unsafe` is not set; the master's
            own solutions do not get full marks; autograded/ cannot be written or another run is writing there. What
            was done until then is kept.
        Stopped: the fork servers do not start; the cluster cannot be used, or not any more.
        KeyboardInterrupt: what was being graded is lost, what was done is not.
    """
    if cluster is None and not unsafe and (missing := sandbox.missing()):
        raise CourseError(
            "This machine cannot confine student code: "
            + " ".join(missing)
            + " Grade on a machine that can, or "
            "use --unsafe where you trust every submission: then each result is marked as unguarded."
        )
    master = course.master(week)
    everyone = only or students(course, week)
    if not everyone:
        raise CourseError(
            f"submitted/ holds nothing for {week.name}: expected submitted/<student>/{week.name}/."
        )
    fresh: set[str] = set()
    failed: dict[str, str] = {}
    unchanged: list[str] = []
    with _alone_in(course.root / "autograded"):
        waiting: list[str] = []
        for student in everyone:
            if not STUDENT_ID.fullmatch(student):
                failed[student] = (
                    "This folder's name is no student id: use letters, digits and . _ @ + - only."
                )
                continue
            if not course.submitted(student, week).is_dir():
                raise CourseError(f"There is no folder submitted/{printable(student)}/{week.name}.")
            try:  # with nothing to compare it with, a submission is not read here
                old = None if force else read_stored(course, week, student)
                good = False
                if old is not None:
                    with read_submission(course, week, student) as submission:
                        good = is_current(old.result, master, submission, course.limits, unsafe)
            except Exception:  # grading it will say so
                good = False
            (unchanged if good else waiting).append(student)
        if waiting:
            place = (
                _here(course, master, unsafe, workers)
                if cluster is None
                else cluster.week(course, week, unsafe)
            )
            with place as (grade_one, most, room):
                check_reference(course, week, master, unsafe, grade_one)

                def work(student: str) -> None:
                    # Read here and not before, so that a class is never in memory at once.
                    before = None if force else read_stored(course, week, student)
                    if before is not None and before.result.faulty:
                        before = None
                    with read_submission(course, week, student) as submission:
                        store(course, week, submission, grade_one(submission, before))

                for student, reason in _in_parallel(work, waiting, most, room, progress):
                    if reason:
                        failed[student] = reason
                    else:
                        fresh.add(student)
    return ClassRun(Results(course, week, [*unchanged, *fresh]), fresh, failed)


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Let no second run work here. The lock is on the open folder: however this process ends, it is gone.

    Raises:
        CourseError: another run is at work, or nothing can be written here.
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
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CourseError(
                f"Another `course grade` is writing into {folder}. Wait until it has ended, and run the same "
                "command again: what it has graded is not graded twice."
            ) from error
        except OSError:  # a file system without locks; two runs cost time there, but write the same
            pass
        yield
    finally:
        os.close(descriptor)


def is_current(old: Result, master: Master, submission: Submission, limits: Limits, unsafe: bool) -> bool:
    """Whether grading again would give the same result."""
    if old.faulty or any(flag.kind == "unsafe" for flag in old.flags) != unsafe:
        return False
    return hashes(master, submission, limits).items() <= old.hashes.items()


def read_stored(course: Course, week: Week, student: str) -> Graded | None:
    """What `store` wrote. None where the result and the notebook are not both there and of one run."""
    folder = course.autograded(student, week)
    result = Result.read(folder / "result.json")
    if result is None or (result.student, result.week) != (student, week.name):
        return None
    try:
        notebook = (folder / f"{week.notebook}.ipynb").read_bytes()
    except OSError:
        return None
    return Graded(result, notebook) if _hash(notebook) == result.hashes.get("notebook") else None


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


# Where submissions are graded: what grades one, given what came out before; how many at a time at most; and
# how many now.
Place = tuple[Callable[[Submission, Graded | None], Graded], int, Callable[[], int]]


@contextmanager
def _here(course: Course, master: Master, unsafe: bool, workers: int | None) -> Iterator[Place]:
    """On this machine."""
    workers = workers or (os.cpu_count() or 1) + 1  # one more: each waits for its processes now and then
    lanes = Lanes(workers)
    with Servers(unsafe, late_imports(master)) as servers:

        def grade_one(submission: Submission, before: Graded | None) -> Graded:
            with lanes.lane():
                return answer(master, submission, course.limits, servers, before)

        # Twice: for slow ones, and so that a worker that is done finds the next one without waiting for us.
        yield grade_one, 2 * workers, lambda: 2 * workers


def answer(
    master: Master, submission: Submission, limits: Limits, servers: Servers, before: Graded | None = None
) -> Graded:
    """`grade` for a class: an answer also where the engine itself fails.

    What a process of ours had in hand when it died is graded again from the beginning. Who meets that again and again
    may be the reason.

    Raises:
        CourseError, OSError: this machine cannot grade.
    """
    for tried in range(TRIES):
        if tried:
            time.sleep(PAUSE_SECONDS)
        try:
            graded = grade(master, submission, limits, servers, before)
        except (ServerLost, BlockingIOError) as error:  # the second: somebody's fork bomb, until it is caught
            fault = str(error)
        except (CourseError, OSError):
            raise
        except Exception:  # a fault of the engine: the student gets an answer, a person gets the fault
            return engine_fault(master, submission, limits, traceback.format_exc(limit=-4))
        else:
            if tried or not graded.result.faulty:
                return graded
    return engine_fault(master, submission, limits, f"{fault} Tried {TRIES} times.")


def _in_parallel(
    work: Callable[[str], None],
    waiting: list[str],
    most: int,
    room: Callable[[], int],
    progress: Callable[[int, int], None],
) -> Iterator[tuple[str, str]]:
    """Work on several threads: each mostly waits for a kernel. Yields (student, why there is no result or "").

    Only as many as there is room for are under way, so the length of `waiting` costs nothing.
    """
    pool = ThreadPoolExecutor(most)
    students, done = iter(waiting), 0
    running: dict[Future, str] = {}
    try:
        while True:
            while len(running) < room() and (student := next(students, None)) is not None:
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
                    reason = _about(error)
                    if error.errno in NO_ROOM:
                        pool.shutdown(cancel_futures=True)
                        raise CourseError(
                            f"{reason} Make room and run the same command again: what was graded before is kept."
                        ) from error
                except Exception as error:  # whatever a submission causes, its neighbours are graded
                    reason = f"The grader failed on this submission: {error!s:.500} ({type(error).__name__})."
                yield student, reason
                done += 1
                progress(done, len(waiting))
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def _about(error: OSError) -> str:
    """A sentence about what could not be read or written."""
    return f"{error.filename or 'A file'} cannot be used: {error.strerror or error}."


def store(course: Course, week: Week, submission: Submission, graded: Graded) -> None:
    """Write the graded notebook and result.json, which has the notebook's hash: who reads both knows that they fit.

    Raises:
        OSError: they cannot be written.
    """
    result = graded.result
    result.student = submission.student
    result.flags = [*submission.flags, *result.flags]
    result.needs_review = result.needs_review or bool(submission.flags)
    folder = course.autograded(submission.student, week)
    result.hashes["notebook"] = _hash(graded.notebook)
    write_together(
        {
            folder / f"{week.notebook}.ipynb": graded.notebook,
            folder / "result.json": result.to_json().encode("utf-8", "replace"),
        }
    )
