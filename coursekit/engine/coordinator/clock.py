"""Time limits that count what a process does, not what its neighbours or the machine keep it from doing."""

import select
import time
from typing import Protocol

from coursekit.engine.coordinator.usage import Process, Sample, Usage
from coursekit.engine.shared.limits import PATIENCE

QUICK_SECONDS = 0.1  # what takes no longer is not looked at
CLOSELY_SECONDS = 0.4  # nor closely what takes no longer than that
LOOK_SECONDS = 0.1, 0.5  # least and most between two looks
PAUSE_SECONDS = 2  # a look that comes so late: this process was stopped, or had no processor


class Descriptor(Protocol):
    """A socket, or what else has a descriptor."""

    def fileno(self) -> int: ...


class Clock:
    """A time limit that a slow, a busy or a paused machine does not shorten.

    It counts CPU seconds: of all threads of a process and of all that it starts, from now on. What sleeps uses none, so
    sleeping is counted by itself and may last PATIENCE times as long. Time in which a thread was ready to run and
    others had the processor is neither. Nor is a pause: of a time in which this process did not run itself, all but an
    ordinary time between two looks is left out.

    Args:
        process: what is timed.
        seconds: CPU seconds on a normal machine.
        slowness: how many times as long the same work takes here, see `calibration`.
        beside: another process at the same work, and its CPU seconds. Only what both sleep counts as sleeping.
    """

    def __init__(
        self,
        process: Process,
        seconds: float,
        slowness: float = 1,
        beside: tuple[Process, float] | None = None,
    ):
        timed = [(process, seconds), *([beside] if beside else [])]
        self._usages = [Usage(watched) for watched, _ in timed]
        self._most = [slowness * most for _, most in timed]
        self._first_look = min(CLOSELY_SECONDS, *self._most)  # seconds after the start
        self._slowness = slowness
        self._begun = self._looked = time.monotonic()
        self._samples = [Sample(0.0, 0.0, True)] * len(timed)
        self._cpu = [0.0] * len(timed)
        self._slept = 0.0

    def spent(self) -> float:
        """Seconds of the limit that are over, as on a normal machine."""
        wall = time.monotonic() - self._begun
        if self._looked == self._begun:
            used = wall if wall < QUICK_SECONDS else self._usages[0].cpu()
        else:
            self._look()
            used = max(self._cpu[0], self._slept / PATIENCE)
        return used / self._slowness

    def left(self) -> float:
        """Seconds until it is worth looking again; 0 when the time is over."""
        least, most = LOOK_SECONDS
        wall = time.monotonic() - self._begun
        if self._looked == self._begun and wall < self._first_look:
            return max(self._first_look - wall, least)
        self._look()
        left = min(
            *(limit - cpu for limit, cpu in zip(self._most, self._cpu, strict=True)),
            PATIENCE * self._most[0] - self._slept,
        )
        return min(max(left, least), most) if left > 0 else 0.0

    def _look(self) -> None:
        now = time.monotonic()
        passed = now - self._looked
        if passed < LOOK_SECONDS[0] / 2:
            return
        counted = LOOK_SECONDS[1] / passed if passed > PAUSE_SECONDS else 1.0
        samples = [usage.sample() for usage in self._usages]
        busy = 0.0
        for place, (new, old) in enumerate(zip(samples, self._samples, strict=True)):
            self._cpu[place] += counted * max(0.0, new.cpu - old.cpu)
            busy += max(0.0, new.cpu - old.cpu) + max(0.0, new.waited - old.waited)
        if not any(sample.ready for sample in samples):
            self._slept += counted * max(0.0, passed - busy)
        self._samples, self._looked = samples, now


class Meanwhile:
    """A limit on the wall for work of ours, such as a fork, in which pauses of this process are left out."""

    def __init__(self, seconds: float):
        self._seconds = seconds
        self._looked = time.monotonic()

    def left(self) -> float:
        """Seconds until it is worth looking again; 0 when the time is over."""
        now = time.monotonic()
        self._seconds -= min(now - self._looked, LOOK_SECONDS[1])
        self._looked = now
        return min(max(self._seconds, 0.0), LOOK_SECONDS[1])


def readable(descriptor: Descriptor, limit: Clock | Meanwhile) -> bool:
    """Wait for something to read: whether there is, before the limit is over."""
    waiting = select.poll()
    waiting.register(descriptor, select.POLLIN)
    while not waiting.poll(1000 * (left := limit.left())):
        if left <= 0:
            return False
    return True
