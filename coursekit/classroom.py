"""Grading a class: every submission of a week through `grade`, several at a time, each once.

What is done is on disk (`result.json`, written last) and not done again as long as master, submission and engine
are the same. So a run may be interrupted at any moment and repeated at any time.
"""

import os
import re
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

from coursekit import result as words
from coursekit import sandbox
from coursekit.course import Course, Limits, Week
from coursekit.errors import CourseError
from coursekit.files import printable, write_atomically
from coursekit.grade import Graded, engine_fault, grade, hashes, late_imports
from coursekit.handin import Submission, read_submission
from coursekit.kernels.client import Servers
from coursekit.master import Master
from coursekit.result import Result

STUDENT_ID = re.compile(r"[\w.@+-]{1,100}")  # what the formgrader's pages and every file system can hold


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
        CourseError: no submissions, or this machine cannot confine student code and `unsafe` is not set.
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
        old = None if force else Result.read(course.autograded(student, week) / "result.json")
        if old is not None and is_current(old, master, submission, course.limits, unsafe):
            run.results[student] = old
        else:
            waiting.append(student)
    if waiting:
        with Servers(unsafe, late_imports(master)) as servers:
            for student, outcome in _in_parallel(course, week, master, waiting, servers, workers, progress):
                if isinstance(outcome, Result):
                    run.results[student] = outcome
                    run.fresh.add(student)
                else:
                    run.failed[student] = outcome
    run.results = dict(sorted(run.results.items()))
    return run


def is_current(old: Result, master: Master, submission: Submission, limits: Limits, unsafe: bool) -> bool:
    """Whether grading again would give the same result."""
    was_unsafe = any(flag.kind == "unsafe" for flag in old.flags)
    return was_unsafe == unsafe and old.hashes == hashes(master, submission.data, limits)


def _in_parallel(
    course: Course,
    week: Week,
    master: Master,
    waiting: list[str],
    servers: Servers,
    workers: int | None,
    progress: Callable[[int, int], None],
) -> Iterator[tuple[str, Result | str]]:
    """Grade on several threads: each mostly waits for a kernel. Yields (student, result or why there is none)."""

    def work(student: str) -> Result:
        submission = read_submission(
            course, week, student
        )  # here, so that a class is never in memory at once
        try:
            graded = grade(master, submission.data, course.limits, servers)
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
                    yield futures[future], future.result()
                except (CourseError, OSError) as error:
                    yield futures[future], str(error)
                progress(len(futures) - len(left), len(futures))
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def store(course: Course, week: Week, submission: Submission, graded: Graded) -> Result:
    """Write the graded notebook and, last, result.json: whoever finds the second has both.

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
    path = folder / f"{week.notebook}.ipynb"
    (folder / "result.json").unlink(missing_ok=True)
    write_atomically(path, graded.notebook)
    write_atomically(folder / "result.json", result.to_json().encode("utf-8", "replace"))
    return result
