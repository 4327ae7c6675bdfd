"""Grades what students hand in, one after the other, and delivers what counts.

Two threads besides those that grade: one takes hand-ins from the queue, and one delivers, which means that the hand-in
that counts is in submitted/, its result in autograded/ and its points in the gradebook, as if it had been collected and
graded with `course grade`.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from coursekit.course.config import Course, Week
from coursekit.course.hidden_seed import hidden_seed
from coursekit.course.late import due_time, lateness
from coursekit.course.roster import FILE, Roster, read_roster
from coursekit.engine.coordinator.submission import Submission
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.reasons import TestReason
from coursekit.engine.shared.result import Result
from coursekit.files import printable, write_together
from coursekit.gradebook.record import record
from coursekit.gradebook.timestamps import TIMESTAMP
from coursekit.grading.place import Attempt, Place, WeekGrader
from coursekit.grading.reference import check_reference
from coursekit.grading.run import exclusive_lock
from coursekit.grading.store import read_stored, store
from coursekit.serve.policy import Outcome, counting
from coursekit.serve.store import AGAIN, FAILED, GRADED, PAUSED, REGRADE, TRIES, HandIn, Store

PAUSE_SECONDS = 5  # until what could not be done is tried again
RECENT = 50  # hand-ins from which the wait is reckoned
MAX_SECONDS = 1800  # for one hand-in, many times what the limits allow; after it, its thread is given up

logger = logging.getLogger(__name__)


class Weeks:
    """The weeks and due times of a course, and its roster, which is read again when its file changes."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self._roster: tuple[tuple[int, int] | None, Roster] | None = None
        self._lock = threading.Lock()

    def roster(self) -> Roster:
        """Return the roster.

        Raises:
            CourseError: it cannot be read.
        """
        state = file_state(self.course.root / FILE)
        with self._lock:
            if self._roster is None or self._roster[0] != state:
                self._roster = state, read_roster(self.course)
            return self._roster[1]

    def due_time(self, student: str, week: Week) -> datetime | None:
        """Return a student's own due time."""
        return due_time(self.course, week, self.roster(), student)

    def is_on_time(self, student: str, week: Week, received_at: datetime) -> bool:
        """Return whether something arrived before its student's own due time."""
        due = self.due_time(student, week)
        return due is None or received_at <= due

    def counting(self, hand_ins: list[HandIn]) -> HandIn | None:
        """Return which of a student's hand-ins of one week counts; None if none was graded."""
        outcomes = {}
        for hand_in in hand_ins:
            if hand_in.score is None or hand_in.max_score is None or hand_in.state == FAILED:
                continue
            week, handed_in_at = self.course.week(hand_in.week), hand_in.received_at.replace(tzinfo=None)
            late = lateness(
                self.course, week, self.roster(), hand_in.student, handed_in_at, hand_in.max_score
            )
            on_time = self.is_on_time(hand_in.student, week, hand_in.received_at)
            outcome = Outcome(hand_in.number, hand_in.score - late.penalty, hand_in.waiting, on_time)
            outcomes[outcome] = hand_in
        chosen = counting(list(outcomes), self.course.hand_ins)
        return outcomes[chosen] if chosen else None


class Grader:
    """Grades and delivers hand-ins on threads of its own, from `start` to `stop`.

    Args:
        place: where to grade.
        unsafe: grade without the sandbox.
        on_change: called from any thread with a hand-in that is no longer being graded.
    """

    def __init__(
        self,
        weeks: Weeks,
        hand_ins: Store,
        place: Place,
        unsafe: bool,
        on_change: Callable[[HandIn], None],
    ) -> None:
        self._weeks, self._store, self._place, self._unsafe = weeks, hand_ins, place, unsafe
        self._course, self._on_change = weeks.course, on_change
        self._open = ExitStack()
        # {week: (its source's state then, its grader)}
        self._graders: dict[str, tuple[object, WeekGrader]] = {}
        self._opening = {week.name: threading.Lock() for week in self._course.weeks}
        self._wake, self._deliver, self._stopping = threading.Event(), threading.Event(), threading.Event()
        self._threads = [
            threading.Thread(target=work, name=name, daemon=True)
            for name, work in (("queue", self._run), ("delivery", self._run_delivery))
        ]
        self._ended = deque[float](maxlen=RECENT)  # when the last ones ended, on the monotonic clock
        self._blocked: dict[str, tuple[float, str]] = {}  # {week: (until when, why)}: it cannot be graded now
        self.paused = bool(hand_ins.setting(PAUSED))  # by staff; a server that starts anew stays paused
        self._fault = ""  # why nothing can be taken from the queue
        self._recover = False  # a row may say that it is being graded and is not
        self.delivery_problem = ""  # why what counts is not where it belongs

    def problem(self, week: str = "") -> str:
        """Return why a week, or any week, cannot be graded now, as a sentence for staff; "" if all is well."""
        reasons = [why for name, (_, why) in self._blocked.copy().items() if week in (name, "")]
        dead = [thread.name for thread in self._threads if thread.ident and not thread.is_alive()]
        stopped = f"The thread {dead[0]} has ended: start the server again." if dead else ""
        return stopped or self._fault or next(iter(reasons), "")

    def start(self) -> None:
        self._store.recover()
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End the threads. What is being graded waits again when the next server starts."""
        self._stopping.set()
        self.wake()
        self._deliver.set()
        for thread in self._threads:
            thread.join()
        self._open.close()

    def wake(self) -> None:
        """Look at the queue now: something was handed in."""
        self._wake.set()

    def seconds_for(self, ahead: int) -> float:
        """Return for about how long a hand-in with so many ahead of it will wait, judging by the last ones."""
        each = 1.0
        if len(self._ended) > 1:
            each = (self._ended[-1] - self._ended[0]) / (len(self._ended) - 1)
        return (ahead + 1) * min(each, 10.0)

    def _run(self) -> None:
        pool = ThreadPoolExecutor(64)
        running: dict[Future[None], tuple[HandIn, float]] = {}  # with the time at which it is given up
        pool.submit(self._prepare)
        while not self._stopping.is_set():
            self._wake.clear()
            try:
                self._start_some(pool, running)
                self._finish_some(running)
                self._fault = ""
            except Exception as error:
                # The database, or a mistake of ours: what waits must not wait for ever.
                self._recover = True
                logger.warning("Nothing can be taken from the queue now.", exc_info=True)
                self._fault = str(error) or type(error).__name__
                self._stopping.wait(PAUSE_SECONDS)
            if running:
                # A hand-in that arrives in the meantime is noticed within this time.
                wait(running, timeout=0.05, return_when="FIRST_COMPLETED")
            else:
                self._wake.wait(PAUSE_SECONDS)
        pool.shutdown(wait=False, cancel_futures=True)

    def _start_some(
        self, pool: ThreadPoolExecutor, running: dict[Future[None], tuple[HandIn, float]]
    ) -> None:
        if self._recover:
            self._store.recover([hand_in.number for hand_in, _ in running.values()])
            self._recover = False
        while len(running) < self._capacity() and not self.paused:
            # Of those that are tried again, one at a time: they are slow.
            again = any(hand_in.lane == AGAIN for hand_in, _ in running.values())
            now = time.monotonic()
            blocked = [week for week, (end, _) in self._blocked.items() if now < end]
            hand_in = self._store.take(REGRADE if again else AGAIN, blocked)
            if hand_in is None:
                return
            running[pool.submit(self._grade, hand_in)] = hand_in, time.monotonic() + MAX_SECONDS

    def _finish_some(self, running: dict[Future[None], tuple[HandIn, float]]) -> None:
        for future, (hand_in, end) in list(running.items()):
            if future.done():
                del running[future]
                self._finish(hand_in, future)
            elif time.monotonic() > end:
                del running[future]
                self._fail(hand_in, f"It was not graded within {MAX_SECONDS // 60} minutes.")

    def _capacity(self) -> int:
        return min((grader.capacity() for _, grader in list(self._graders.values())), default=1)

    def _finish(self, hand_in: HandIn, future: Future[None]) -> None:
        """See to it that a hand-in whose thread has ended is in a state that a person can read."""
        try:
            future.result()
            self._blocked.pop(hand_in.week, None)
        except (CourseError, OSError) as error:
            # Not the hand-in's fault: the reference, the servers, the disk. It waits until that is mended; other weeks
            # may have no such fault.
            self._blocked[hand_in.week] = time.monotonic() + PAUSE_SECONDS, str(error)
            logger.warning("%s cannot be graded now. %s", hand_in.week, error)
            self._store.put_back(hand_in, hand_in.lane)
            return
        except Exception as error:
            logger.exception("The grader failed on the hand-in %s.", hand_in.id)
            self._fail(hand_in, f"The grader failed on it: {error!s:.300} ({type(error).__name__}).")
        self._ended.append(time.monotonic())
        self._on_change(hand_in)

    def _fail(self, hand_in: HandIn, why: str) -> None:
        reason = f"{printable(why)} That is not your fault, and it costs no attempt."
        self._store.end(hand_in, FAILED, reason)
        self._on_change(hand_in)

    def _prepare(self) -> None:
        """Grade the reference of each week before anybody waits for it."""
        for week in self._course.weeks:
            if self._stopping.is_set():
                return
            try:
                self._grader_of(week)
            except CourseError as error:
                logger.warning("%s cannot be graded now. %s", week.name, error)

    def _grader_of(self, week: Week) -> WeekGrader:
        """Return the grader of a week, a new one if its notebook has changed. The reference is graded first."""
        with self._opening[week.name]:
            state = file_state(self._course.source(week))
            if week.name not in self._graders or self._graders[week.name][0] != state:
                master = self._course.master(week)
                grader = self._open.enter_context(self._place.week(self._course, week, master, self._unsafe))
                self._course.results.mkdir(exist_ok=True)
                check_reference(self._course, week, master, self._unsafe, grader.grade_one)
                self._graders[week.name] = state, grader
            return self._graders[week.name][1]

    def _grade(self, hand_in: HandIn) -> None:
        """Grade a hand-in, store its result, and end its row; or let it wait once more, if the machine is in doubt."""
        week = self._course.week(hand_in.week)
        grader = self._grader_of(week)
        folder = self._store.with_results(self._course, hand_in)
        try:
            data = self._store.file(hand_in.digest).read_bytes()
        except FileNotFoundError:  # else it would hold up its week for ever
            self._fail(hand_in, "Its file is gone from the server's disk: hand in again.")
            return
        seed = hidden_seed(self._course.root, hand_in.digest)
        pieces = {f"{week.notebook}.ipynb": data}
        with Submission.of_bytes(pieces, hand_in.student, hidden_seed=seed) as submission:
            begun = time.monotonic()
            graded = grader.grade_one(submission, read_stored(folder, week, hand_in.student))
        if graded.result.faulty:
            if hand_in.tries < TRIES:  # it may have been the machine, or a process that somebody ended
                self._store.put_back(hand_in, REGRADE, tried=True)
            else:
                self._fail(hand_in, "The grader itself failed on it.")
            return
        lost_points = graded.result.score < graded.result.max_score
        if hand_in.lane != AGAIN and lost_points and Attempt.of(graded, begun).is_unreliable:
            self._store.put_back(hand_in, AGAIN)
            return
        store(folder, week, graded)
        self._store.end(hand_in, GRADED, values=counted(graded.result))
        self._deliver.set()

    # Delivery.

    def _run_delivery(self) -> None:
        while not self._stopping.is_set():
            self._deliver.clear()
            try:
                waiting = self._store.undelivered()
                if waiting:
                    with exclusive_lock(self._course.results):  # beside no `course grade`
                        self._deliver_all(waiting)
                self.delivery_problem = ""
            except (CourseError, OSError) as error:
                self.delivery_problem = str(error)
            except Exception as error:
                logger.exception("What counts could not be delivered.")
                self.delivery_problem = f"{error!s:.300} ({type(error).__name__})"
            self._deliver.wait(PAUSE_SECONDS)

    def _deliver_all(self, hand_ins: list[HandIn]) -> None:
        results: dict[str, list[Result]] = {}
        considered: list[HandIn] = []
        failed = ""
        for student, name in dict.fromkeys((one.student, one.week) for one in hand_ins):
            week, of_week = self._course.week(name), self._store.of(student, name)
            considered += [one for one in of_week if one.state == GRADED]
            chosen = self._weeks.counting(of_week)
            try:
                if chosen and (
                    graded := read_stored(self._store.with_results(self._course, chosen), week, student)
                ):
                    self._put_in_place(week, chosen)
                    store(self._course, week, graded)
                    results.setdefault(name, []).append(graded.result)
            except OSError as error:  # one student's folder must not stop the others
                considered = [one for one in considered if (one.student, one.week) != (student, name)]
                failed = f"{printable(student)}, {name}: {error.filename} cannot be used ({error.strerror})."
        for name, counted_ones in results.items():
            record(self._course, self._course.week(name), counted_ones)
        self._store.set_delivered(considered)
        if failed:
            raise CourseError(failed)

    def _put_in_place(self, week: Week, hand_in: HandIn) -> None:
        """Write a hand-in into submitted/, with the time at which it arrived."""
        folder = self._course.submitted(hand_in.student, week)
        stamp = f"{hand_in.received_at.astimezone(UTC):%Y-%m-%d %H:%M:%S.%f} UTC\n"
        data = self._store.file(hand_in.digest).read_bytes()
        write_together({folder / f"{week.notebook}.ipynb": data, folder / TIMESTAMP: stamp.encode()})


def answered(result: Result) -> set[str]:
    """Return the questions that have an answer."""
    # A person grades what no test does, and there 0 points are only given where nothing was written.
    written = {question.id for question in result.questions if question.score is None or question.score > 0}
    tested = {test.question for test in result.tests}
    return (written - tested) | {
        test.question for test in result.tests if test.reason != TestReason.NOT_ANSWERED
    }


def counted(result: Result) -> dict[str, float]:
    """Return what a hand-in's row says of its result."""
    return {
        "score": result.score,
        "max_score": result.max_score,
        "waiting": sum(question.score is None for question in result.questions),
        "answered": len(answered(result)),
        "questions": len(result.questions),
    }


def file_state(path: Path) -> tuple[int, int] | None:
    """Return what changes when a file is written; None if there is none."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size
