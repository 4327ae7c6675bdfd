"""Slow submissions hold up nobody: they leave their place to another, up to a bound."""

import threading
import time

from coursekit.grading import lanes
from coursekit.grading.lanes import Lanes


def at_work(places, count, enter=None):
    """Start so many threads that want a lane and stay in it; gives who is in, and the door out."""
    inside, out = [], threading.Event()

    def work(number):
        with places.lane():
            inside.append(number)
            out.wait(60)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    return inside, out, threads


def until(condition, seconds=30):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
    return condition()


def test_so_many_work_at_a_time(monkeypatch):
    monkeypatch.setattr(lanes, "SLOW_SECONDS", 1000)
    places = Lanes(2)
    inside, out, threads = at_work(places, 5)
    assert until(lambda: len(inside) == 2)
    time.sleep(0.3)
    assert len(inside) == 2
    out.set()
    for thread in threads:
        thread.join()
    assert sorted(inside) == [0, 1, 2, 3, 4]


def test_slow_ones_leave_their_places_and_no_more_than_that(monkeypatch):
    monkeypatch.setattr(lanes, "SLOW_SECONDS", 0.2)
    monkeypatch.setattr(lanes, "LOOK_SECONDS", 0.05)
    places = Lanes(2)
    inside, out, threads = at_work(places, 7)
    assert until(lambda: len(inside) == 4)  # two slow ones, and two in their places that are slow by now
    time.sleep(0.6)
    assert len(inside) == 4
    out.set()
    for thread in threads:
        thread.join()
    assert len(inside) == 7
