"""The grader of `course serve` when a place to grade misbehaves: it hangs, fails, or doubts the machine."""

import contextlib
import threading
import time
from dataclasses import replace

import pytest
from small_course import RIGHT, make_course
from test_serve import NOW, always, until

from coursekit.course.config import HandIns
from coursekit.engine.coordinator.grade import warm_modules
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import fill
from coursekit.engine.shared.result import FAULTS, Note
from coursekit.grading.place import WeekGrader, grade_with_retries
from coursekit.serve import grader as module
from coursekit.serve.grader import Grader, Weeks
from coursekit.serve.store import AGAIN, FAILED, GRADED, WAITING, Store


class Somewhere:
    """A place that grades here, after what `before` does, and changes what comes of it by `after`."""

    def __init__(self):
        self.before, self.after = lambda: None, lambda graded: graded

    @contextlib.contextmanager
    def week(self, course, week, master, unsafe):
        with Servers(modules=warm_modules(master, course.limits)) as servers:

            def grade_one(submission, before):
                if submission.student:  # the reference has none
                    self.before()
                graded = grade_with_retries(master, submission, course.limits, servers, before)
                return self.after(graded) if submission.student else graded

            yield WeekGrader(grade_one, lambda: 2, lambda attempt: False)


@pytest.fixture
def served(tmp_path):
    """(a place, a function that hands something in, the store) while a grader works."""
    course, week = make_course(tmp_path)
    place = Somewhere()
    with contextlib.closing(Store(tmp_path)) as store:
        grader = Grader(Weeks(course), store, place, False, lambda name: None)

        def hand_in(remark=b""):
            data = fill(course.master(week), RIGHT) + remark
            row, _ = store.receive("ada", week.name, data, NOW, HandIns(), always)
            grader.wake()
            return row

        grader.start()
        yield place, hand_in, store
        grader.stop()


def ended(store, row):
    return until(lambda: (now := store.get(row.id)).ended and now)


def test_one_that_hangs_fails_in_the_end_and_stops_no_other(served, monkeypatch):
    place, hand_in, store = served
    assert ended(store, hand_in()).state == GRADED  # the servers have started
    monkeypatch.setattr(module, "MAX_SECONDS", 1)
    stuck, entered = threading.Event(), threading.Event()
    place.before = lambda: (entered.set(), stuck.wait(30))
    first = hand_in(b" ")
    assert entered.wait(30)
    monkeypatch.setattr(module, "MAX_SECONDS", 1000)
    place.before = lambda: None
    assert ended(store, hand_in(b"  ")).state == GRADED
    failed = ended(store, first)
    assert (failed.state, "That is not your fault" in failed.reason) == (FAILED, True)
    stuck.set()  # its thread ends after all
    time.sleep(0.5)
    assert store.get(first.id).state == FAILED


def test_an_error_of_ours_ends_in_words(served):
    place, hand_in, store = served
    place.before = lambda: 1 / 0
    failed = ended(store, hand_in())
    assert failed.state == FAILED
    assert "ZeroDivisionError" in failed.reason
    place.before = lambda: None
    assert ended(store, hand_in(b" ")).state == GRADED


def test_a_faulty_result_is_no_result(served):
    place, hand_in, store = served
    flag = Note(min(FAULTS))
    place.after = lambda graded: replace(graded, result=replace(graded.result, flags=[flag]))
    assert ended(store, hand_in()).state == FAILED


def test_what_cannot_be_graded_now_waits(served, monkeypatch):
    place, hand_in, store = served
    monkeypatch.setattr(module, "PAUSE_SECONDS", 0.2)

    def broken():
        raise CourseError("The disk is full.")

    place.before = broken
    row = hand_in()
    time.sleep(1)
    until(lambda: store.get(row.id).state == WAITING)
    assert store.get(row.id).tries == 0  # it was not its fault
    place.before = lambda: None
    assert ended(store, row).state == GRADED


def test_a_doubtful_result_is_tried_again_behind_the_others(served):
    place, hand_in, store = served
    seen = []

    def doubtful(graded):
        seen.append(graded)
        return replace(graded, result=replace(graded.result, score=0.0), shared_limit=len(seen) == 1)

    place.after = doubtful
    row = ended(store, hand_in())
    assert (row.state, row.lane, len(seen)) == (GRADED, AGAIN, 2)


def test_a_database_that_cannot_be_written_for_a_while_loses_nothing(served, monkeypatch):
    """The end of a hand-in cannot be written; later it can, and the hand-in has its result."""
    _, hand_in, store = served
    monkeypatch.setattr(module, "PAUSE_SECONDS", 0.2)
    failing = threading.Event()
    failing.set()
    ends = []

    def end(*args, end=store.end, **named):
        ends.append(args)
        if failing.is_set():
            raise CourseError("hand_ins.db cannot be written: disk I/O error.")
        end(*args, **named)

    def put_back(*args, put_back=store.put_back):
        if failing.is_set():
            raise CourseError("hand_ins.db cannot be written: disk I/O error.")
        put_back(*args)

    monkeypatch.setattr(store, "end", end)
    monkeypatch.setattr(store, "put_back", put_back)
    row = hand_in()
    until(lambda: ends)
    failing.clear()
    assert ended(store, row).state == GRADED


def test_one_whose_file_is_gone_stops_no_other(served):
    place, hand_in, store = served
    holding = threading.Event()
    entered = threading.Event()
    place.before = lambda: (entered.set(), holding.wait(30))
    first = hand_in()
    assert entered.wait(30)
    lost = hand_in(b" ")
    store.file(lost.digest).unlink()
    holding.set()
    assert ended(store, first).state == GRADED
    assert ended(store, lost).state == FAILED
    assert ended(store, hand_in(b"  ")).state == GRADED
