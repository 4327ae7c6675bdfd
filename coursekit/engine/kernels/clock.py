"""Time limits that count what a kernel does, not what its neighbours keep it from doing."""

import time
from collections.abc import Callable

from coursekit.engine.kernels import pace

# A limit counts the kernel's own CPU seconds, until so many times as many have passed on the wall: what a machine that
# is busy with ten other things may take.
PATIENCE = 6
LOOK_SECONDS = 0.1  # how often it is worth looking how much CPU time a kernel has used
FEW_SECONDS = 0.4  # nobody who has spent less needs to know how slow the machine is


class Clock:
    """A time limit that a busy or a slow machine does not shorten.

    It counts the CPU seconds of the kernel and of all that it started, so that neighbours cost nobody marks. What
    sleeps uses none: it may take PATIENCE times as many seconds on the wall. Seconds in which the kernel was ready to
    run and others had the processor are left out, but after PATIENCE times PATIENCE as many it is cut in any case.
    Where the same work takes longer than on a normal machine (`pace`), a second of the limit is longer by as much.

    Args:
        used: gives (these CPU seconds, seconds that the kernel has been kept waiting for a processor).
        seconds: how many.
    """

    def __init__(self, used: Callable[[], tuple[float, float]], seconds: float):
        self._used, self._seconds = used, seconds
        self._wall, (self._cpu, self._waited) = time.monotonic(), used()

    def spent(self) -> float:
        """Seconds of the limit that are over."""
        cpu, waited = self._used()
        wall = time.monotonic() - self._wall
        own = max(wall - (waited - self._waited), wall / PATIENCE)
        spent = max(cpu - self._cpu, own / PATIENCE)
        return spent if spent < FEW_SECONDS else max(spent / pace.slowness(), FEW_SECONDS)

    def shorten(self, seconds: float) -> None:
        """Leave at most so many."""
        self._seconds = min(self._seconds, self.spent() + seconds)

    def left(self) -> float:
        """Seconds until it is worth looking again; 0 or less when the time is over."""
        left = self._seconds - self.spent()
        return max(left, LOOK_SECONDS) if left > 0 else left
