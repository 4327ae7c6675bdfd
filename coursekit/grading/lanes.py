"""How many submissions are at work at a time: a fixed number, and beside them those that have turned out slow.

A kernel that sleeps, or burns all its time, would hold a place for minutes, and a few of them would hold up a class.
Limits count CPU seconds, so more kernels at a time cost nobody marks.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

SLOW_SECONDS = 5  # at work, from which on a submission is a slow one; most take a tenth
LOOK_SECONDS = 0.5


class Lanes:
    """Lets `workers` submissions work at a time, and as many slow ones beside them."""

    def __init__(self, workers: int):
        self._workers = workers
        self._begun: dict[object, float] = {}
        self._changed = threading.Condition()

    @contextmanager
    def lane(self) -> Iterator[None]:
        """Wait for a place, and have it."""
        me = object()
        with self._changed:
            while not self._free():
                self._changed.wait(LOOK_SECONDS)
            self._begun[me] = time.monotonic()
        try:
            yield
        finally:
            with self._changed:
                del self._begun[me]
                self._changed.notify()

    def _free(self) -> bool:
        now = time.monotonic()
        slow = sum(now - begun > SLOW_SECONDS for begun in self._begun.values())
        return len(self._begun) - min(slow, self._workers) < self._workers
