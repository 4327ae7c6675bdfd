"""Time limits that count a process's work, not the time for which others or the machine hold it up."""

import select
import time
from typing import Protocol

from coursekit.engine.coordinator.usage import Process, Sample, Usage
from coursekit.engine.shared.limits import SLEEP_FACTOR

UNSAMPLED_SECONDS = 0.1  # work that takes less is measured in wall-clock time
FIRST_SAMPLE_SECONDS = 0.4  # after the start
SAMPLE_SECONDS = 0.1, 0.5  # minimum and maximum between two samples
PAUSE_SECONDS = 2  # a longer interval between two samples means that this process was paused


class Descriptor(Protocol):
    """A socket, or anything else with a descriptor."""

    def fileno(self) -> int: ...


class Clock:
    """A time limit that a slow, busy or paused machine does not shorten.

    It counts the CPU seconds that a process and its descendants use from now on. Sleeping uses none: it is counted
    separately and may last SLEEP_FACTOR times as long. Time in which a thread was runnable and had no processor
    counts as neither. If this process itself was paused, only an ordinary interval between two samples counts.

    Args:
        process: the process that is timed.
        seconds: CPU seconds on a normal machine.
        slowness: how many times as long the same work takes here as on a normal machine.
        partner: another process at the same work, and its limit in CPU seconds. Sleep counts only while both sleep.
    """

    def __init__(
        self,
        process: Process,
        seconds: float,
        slowness: float = 1,
        partner: tuple[Process, float] | None = None,
    ):
        timed = [(process, seconds), *([partner] if partner else [])]
        self._usages = [Usage(item) for item, _ in timed]
        self._limits = [slowness * limit for _, limit in timed]
        self._first_sample = min(FIRST_SAMPLE_SECONDS, *self._limits)
        self._slowness = slowness
        self._begun = self._sampled = time.monotonic()
        self._samples = [Sample(0.0, 0.0, True)] * len(timed)
        self._cpu = [0.0] * len(timed)
        self._slept = 0.0

    def spent(self) -> float:
        """Return the seconds used, as on a normal machine: of CPU, or of sleep / SLEEP_FACTOR if that is more."""
        wall = time.monotonic() - self._begun
        if self._sampled == self._begun:
            used = wall if wall < UNSAMPLED_SECONDS else self._usages[0].cpu()
        else:
            self._sample()
            used = max(self._cpu[0], self._slept / SLEEP_FACTOR)
        return used / self._slowness

    def left(self) -> float:
        """Return the seconds until the next call is worthwhile; 0 when the limit is reached."""
        shortest, longest = SAMPLE_SECONDS
        wall = time.monotonic() - self._begun
        if self._sampled == self._begun and wall < self._first_sample:
            return max(self._first_sample - wall, shortest)
        self._sample()
        remaining = min(
            *(limit - cpu for limit, cpu in zip(self._limits, self._cpu, strict=True)),
            SLEEP_FACTOR * self._limits[0] - self._slept,
        )
        return min(max(remaining, shortest), longest) if remaining > 0 else 0.0

    def _sample(self) -> None:
        now = time.monotonic()
        interval = now - self._sampled
        if interval < SAMPLE_SECONDS[0] / 2:
            return
        share = SAMPLE_SECONDS[1] / interval if interval > PAUSE_SECONDS else 1.0
        samples = [usage.sample() for usage in self._usages]
        busy = 0.0
        for index, (new, old) in enumerate(zip(samples, self._samples, strict=True)):
            self._cpu[index] += share * max(0.0, new.cpu - old.cpu)
            busy += max(0.0, new.cpu - old.cpu) + max(0.0, new.waited - old.waited)
        if not any(sample.runnable for sample in samples):
            self._slept += share * max(0.0, interval - busy)
        self._samples, self._sampled = samples, now


class WallLimit:
    """A limit in wall-clock time for work of the engine itself, such as a fork; pauses of this process do not count."""

    def __init__(self, seconds: float):
        self._seconds = seconds
        self._checked = time.monotonic()

    def left(self) -> float:
        """Return the seconds until the next call is worthwhile; 0 when the limit is reached."""
        now = time.monotonic()
        self._seconds -= min(now - self._checked, SAMPLE_SECONDS[1])
        self._checked = now
        return min(max(self._seconds, 0.0), SAMPLE_SECONDS[1])


def readable(descriptor: Descriptor, limit: Clock | WallLimit) -> bool:
    """Wait until there is something to read. Return False if the limit is reached first."""
    poller = select.poll()
    poller.register(descriptor, select.POLLIN)
    while not poller.poll(1000 * (remaining := limit.left())):
        if remaining <= 0:
            return False
    return True
