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
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from coursekit import result as words
from coursekit import sandbox
from coursekit.course import Course, Limits, Week
from coursekit.errors import CourseError
from coursekit.files import printable, write_together
from coursekit.grade import Graded, engine_fault, grade, hashes, late_imports
from coursekit.kernels.client import Servers
from coursekit.master import Master
from coursekit.result import Note, Result

STUDENT_ID = re.compile(r"[\w.@+-]{1,100}")  # what the formgrader's pages and every file system can hold
MAX_BYTES = 100 << 20  # a notebook with every picture in it has a tenth of that
NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}  # what keeps one result from the disk keeps every other


@dataclass(frozen=True)
class Submission:
    """One student's hand-in of one week."""

    student: str
    data: bytes
    repairs: tuple[Note, ...]  # what was mended to find the file
    flags: tuple[Note, ...]


@dataclass
class ClassRun:
    """What one call of `grade_class` did."""

    results: dict[str, Result]  # of every student with a submission, sorted
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


def read_submission(course: Course, week: Week, student: str) -> Submission:
    """Find and read a student's notebook. A folder without one gives an empty submission, which is unreadable.

    Only regular files count: a link could point at anything on this machine.
    """
    folder = course.submitted(student, week)
    wanted = f"{week.notebook}.ipynb"
    paths = sorted(
        (
            path
            for path in folder.rglob("*")
            if path.suffix.lower() == ".ipynb"
            and path.is_file()
            and not path.is_symlink()
            and ".ipynb_checkpoints" not in path.parts
        ),
        key=lambda path: (path.relative_to(folder).as_posix() != wanted, len(path.parts), path.name),
    )
    if not paths:
        return Submission(student, b"", (), ())
    repairs, flags = [], []
    path = paths[0]
    if path != folder / wanted:
        name = path.relative_to(folder).as_posix()
        repairs.append(Note("renamed_file", "", f"The notebook was handed in as {printable(name)!r}."))
        if len(paths) > 1:
            others = ", ".join(printable(other.name) for other in paths[1:])
            flags.append(Note("several_notebooks", "", f"None has the right name; {others} was not graded."))
    if path.stat().st_size > MAX_BYTES:
        detail = f"The file has {path.stat().st_size >> 20} MiB; more than {MAX_BYTES >> 20} are not read."
        return Submission(student, b"", tuple(repairs), (Note("too_large", "", detail),))
    return Submission(student, path.read_bytes(), tuple(repairs), tuple(flags))


def grade_class(
    course: Course,
    week: Week,
    *,
    workers: int | None = None,
    unsafe: bool = False,
    force: bool = False,
    only: list[str] | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> ClassRun:
    """Grade what is new, and write `autograded/<student>/<week>/`.

    Args:
        workers: submissions at a time; default: the number of cores.
        unsafe: without the sandbox. Every result says so.
        force: also what has a good result already.
        only: these students alone.
        progress: called with (done, total) as submissions end.

    Raises:
        CourseError: no submissions; this machine cannot confine student code and `unsafe` is not set; autograded/
            cannot be written or another run is writing there. What was done until then is kept.
        KeyboardInterrupt: what was being graded is lost, what was done is not.
    """
    if not unsafe and (missing := sandbox.missing()):
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
    run = ClassRun({}, set(), {})
    with _alone_in(course.root / "autograded"):
        waiting: list[str] = []
        for student in everyone:
            if not STUDENT_ID.fullmatch(student):
                run.failed[student] = (
                    "This folder's name is no student id: use letters, digits and . _ @ + - only."
                )
                continue
            if not course.submitted(student, week).is_dir():
                raise CourseError(f"There is no folder submitted/{printable(student)}/{week.name}.")
            try:
                submission = read_submission(course, week, student)
            except OSError as error:
                run.failed[student] = f"The submission cannot be read: {error}."
                continue
            old = None if force else read_stored(course, week, student)
            if old is not None and is_current(old.result, master, submission, course.limits, unsafe):
                run.results[student] = old.result
            else:
                waiting.append(student)
        if waiting:
            with Servers(unsafe, late_imports(master)) as servers:
                for student, outcome in _in_parallel(
                    course, week, master, waiting, servers, workers, progress, force
                ):
                    if isinstance(outcome, Result):
                        run.results[student] = outcome
                        run.fresh.add(student)
                    else:
                        run.failed[student] = outcome
    run.results = dict(sorted(run.results.items()))
    return run


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
    was_unsafe = any(flag.kind == "unsafe" for flag in old.flags)
    return was_unsafe == unsafe and hashes(master, submission.data, limits).items() <= old.hashes.items()


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


def _in_parallel(
    course: Course,
    week: Week,
    master: Master,
    waiting: list[str],
    servers: Servers,
    workers: int | None,
    progress: Callable[[int, int], None],
    force: bool,
) -> Iterator[tuple[str, Result | str]]:
    """Grade on several threads: each mostly waits for a kernel. Yields (student, result or why there is none)."""

    def work(student: str) -> Result:
        submission = read_submission(
            course, week, student
        )  # here, so that a class is never in memory at once
        try:
            before = None if force else read_stored(course, week, student)
            graded = grade(master, submission.data, course.limits, servers, before)
        except (CourseError, OSError):
            raise
        except Exception:  # a fault of the engine: the student gets an answer, a person gets the fault
            fault = traceback.format_exc(limit=-4)
            graded = engine_fault(master, submission.data, course.limits, fault)
        return store(course, week, submission, graded)

    pool = ThreadPoolExecutor(workers or os.cpu_count() or 1)
    try:
        futures: dict[Future, str] = {pool.submit(work, student): student for student in waiting}
        left = set(futures)
        while left:
            done, left = wait(left, return_when="FIRST_COMPLETED")
            for future in done:
                try:
                    outcome = future.result()
                except CourseError as error:
                    outcome = str(error)
                except OSError as error:
                    if error.errno in NO_ROOM:
                        pool.shutdown(cancel_futures=True)
                        raise CourseError(
                            f"{_about(error)} Make room and run the same command again: what was graded "
                            "before is kept."
                        ) from error
                    outcome = _about(error)
                yield futures[future], outcome
                progress(len(futures) - len(left), len(futures))
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def _about(error: OSError) -> str:
    """A sentence about what could not be read or written."""
    return f"{error.filename or 'A file'} cannot be used: {error.strerror or error}."


def store(course: Course, week: Week, submission: Submission, graded: Graded) -> Result:
    """Write the graded notebook and result.json, which has the notebook's hash: who reads both knows that they fit.

    Raises:
        OSError: they cannot be written.
    """
    result = graded.result
    result.student = submission.student
    result.repairs = [*submission.repairs, *result.repairs]
    result.flags = [*submission.flags, *result.flags]
    result.needs_review = result.needs_review or bool(submission.flags)
    if result.repairs and result.status == words.GRADED:
        result.status = words.REPAIRED
    folder = course.autograded(submission.student, week)
    result.hashes["notebook"] = _hash(graded.notebook)
    write_together(
        {
            folder / f"{week.notebook}.ipynb": graded.notebook,
            folder / "result.json": result.to_json().encode("utf-8", "replace"),
        }
    )
    return result
