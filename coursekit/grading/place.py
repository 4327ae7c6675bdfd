"""The place where a class is graded: this machine. `coursekit.grading.cluster` has another `Place`."""

import logging
import os
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, Protocol

from coursekit.course.config import Course, Week
from coursekit.engine.coordinator.calibration import calibrate
from coursekit.engine.coordinator.capacity import max_kernels
from coursekit.engine.coordinator.forked_process import NoTemporarySpace, ServerLost
from coursekit.engine.coordinator.grade import grade, warm_modules
from coursekit.engine.coordinator.outcome import Graded, engine_fault
from coursekit.engine.coordinator.servers import LOG_NAME, Servers
from coursekit.engine.coordinator.submission import Submission
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.limits import Calibration, Limits
from coursekit.engine.shared.master import Master
from coursekit.engine.supervisor import sandbox
from coursekit.files import printable

TRIES = 3  # of one submission, while processes of the grader die; after a result with a fault, one more
PAUSE_SECONDS = 1  # before the next try: by then, whatever took all processes or memory is caught
SLOW_SECONDS = 5  # after which a submission gives up its slot to another; most need a tenth of it

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Attempt:
    """One grading of a submission that lost points, with the signs that something else than its code was the reason:
    the machine, or a submission that was graded at the same time.

    Attributes:
        thread: the thread that graded it.
        begun, ended: times on the monotonic clock.
        by_clock: it met a time limit.
        calibration: how fast and how quiet the machine was.
        cut: some of its own code was stopped at a limit, so that a neighbour is no likely reason.
        shared_limit: it met a limit that all submissions share, such as a full disk.
    """

    student: str
    thread: int
    begun: float
    ended: float
    by_clock: bool
    calibration: Calibration
    cut: bool
    shared_limit: bool

    @property
    def is_unreliable(self) -> bool:
        """Whether the machine may be the reason, judging by this submission alone."""
        return self.shared_limit or (self.by_clock and not self.calibration.quiet)

    @classmethod
    def of(cls, graded: Graded, begun: float) -> "Attempt":
        """Return the attempt of this thread that has just ended."""
        result = graded.result
        return cls(
            student=result.student,
            thread=threading.get_ident(),
            begun=begun,
            ended=time.monotonic(),
            by_clock=result.by_clock,
            calibration=result.calibration,
            cut=bool(result.stops),
            shared_limit=graded.shared_limit,
        )


class WeekGrader(NamedTuple):
    """Grades the submissions of one week."""

    grade_one: Callable[[Submission, Graded | None], Graded]  # takes what grading gave last, too, to run less
    capacity: Callable[[], int]  # how many submissions may be under way now
    is_unreliable: Callable[[Attempt], bool]  # called after the class: whether to grade again


class Place(Protocol):
    """A machine, or many, where classes are graded: one week after the other."""

    def week(
        self, course: Course, week: Week, master: Master, unsafe: bool
    ) -> AbstractContextManager[WeekGrader]:
        """Return a context manager with a grader for this week.

        Raises:
            CourseError: this place cannot confine student code, and `unsafe` is not set.
            Stopped: this place cannot be used, or no longer, so that no submission can be graded.
        """


class Here:
    """This machine.

    Args:
        workers: submissions at a time; default: one more than there are cores, since each sometimes waits.
        started: servers that are already starting; used for the first week if they suit it.
    """

    def __init__(self, workers: int | None = None, started: Servers | None = None):
        self._workers = workers or (os.cpu_count() or 1) + 1
        self._started = started

    @contextmanager
    def week(self, course: Course, week: Week, master: Master, unsafe: bool) -> Iterator[WeekGrader]:
        """See `Place`."""
        if not unsafe and (missing := sandbox.missing()):
            raise CourseError(
                f"This machine cannot confine student code: {' '.join(missing)} Grade on a machine that can, or use "
                "--unsafe where you trust every submission: then each result is marked as unguarded."
            )
        # Two for each worker: some are slow, and a worker that is done should find the next submission already open.
        capacity = min(2 * self._workers, max_kernels(course.limits))
        slots = threading.Semaphore(min(self._workers, capacity))
        with self._servers(course, unsafe, warm_modules(master, course.limits)) as servers:
            servers.kernels = capacity

            def grade_one(submission: Submission, before: Graded | None) -> Graded:
                with slot(slots):
                    return grade_with_retries(master, submission, course.limits, servers, before)

            @cache
            def quiet() -> bool:  # called when no submission is being graded any more
                return calibrate().quiet

            def is_unreliable(attempt: Attempt) -> bool:
                # Times when another submission used more of the disk, processes or descriptors than it may.
                others = [excess for excess in servers.excesses if excess.thread != attempt.thread]
                disturbed = any(one.begun < attempt.ended and attempt.begun < one.ended for one in others)
                return (
                    attempt.is_unreliable
                    or (disturbed and not attempt.cut)
                    or (attempt.by_clock and not quiet())
                )

            yield WeekGrader(grade_one, lambda: capacity, is_unreliable)

    def _servers(self, course: Course, unsafe: bool, modules: list[str]) -> AbstractContextManager[Servers]:
        started, self._started = self._started, None
        if started is not None:
            if (started.unsafe, started.modules) == (unsafe, modules):
                return started
            started.close()
        return Servers(unsafe, modules, log=course.root / LOG_NAME)


class HereForLong(Here):
    """This machine, for several weeks beside one another: those that need the same modules share their servers.

    Use as a context manager, which ends the servers.
    """

    def __init__(self, workers: int | None = None):
        super().__init__(workers)
        self._open, self._shared = ExitStack(), dict[tuple[object, ...], Servers]()
        self._opening = threading.Lock()

    def __enter__(self) -> "HereForLong":
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def _servers(self, course: Course, unsafe: bool, modules: list[str]) -> AbstractContextManager[Servers]:
        key = (unsafe, *modules)
        with self._opening:
            if key not in self._shared:
                servers = Servers(unsafe, modules, log=course.root / LOG_NAME)
                self._shared[key] = self._open.enter_context(servers)
        return nullcontext(self._shared[key])


@contextmanager
def slot(slots: threading.Semaphore) -> Iterator[None]:
    """Hold one of the slots, for SLOW_SECONDS at most: then another submission gets it, while this one goes on.

    A few kernels that sleep would otherwise hold up a class. Limits count CPU seconds, so that more kernels at a time
    use up nobody's limits.
    """
    released = threading.Lock()

    def release() -> None:
        if released.acquire(blocking=False):
            slots.release()

    slots.acquire()
    timer = threading.Timer(SLOW_SECONDS, release)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        release()


def grade_with_retries(
    master: Master, submission: Submission, limits: Limits, servers: Servers, before: Graded | None = None
) -> Graded:
    """Return what grading a submission gives; if the engine fails on it, a result that says so.

    It grades again if a process of the grader dies, and once if the result has a fault.

    Raises:
        NoTemporarySpace: there is no space for its files, TRIES times.
        CourseError, OSError: this machine cannot grade.
    """
    for number in range(1, TRIES + 1):
        try:
            graded = grade(master, submission, limits, servers, before)
        except NoTemporarySpace as error:
            if number == TRIES:
                raise
            fault = str(error)
        except (ServerLost, BlockingIOError) as error:  # BlockingIOError: a fork bomb, until it is caught
            fault = str(error)
        except (CourseError, OSError):
            raise
        except Exception:  # a fault of the engine: the student gets a result, the instructor the traceback
            logger.info("The engine failed on %s.", printable(submission.student), exc_info=True)
            return engine_fault(master, submission, limits, traceback.format_exc(limit=-4))
        else:
            if number > 1 or not graded.result.faulty:
                return graded
            fault = "The grader itself failed."
        if number < TRIES:
            logger.info("%s is graded again. %s", printable(submission.student), fault)
            time.sleep(PAUSE_SECONDS)
    return engine_fault(master, submission, limits, f"{fault} Tried {TRIES} times.")
