"""How slow this machine is just now. A second of a processor is not everywhere, nor always, as much work."""

import threading
import time

# CPU seconds that the work below takes on the machine that the limits in course.toml are meant for. A fast one of today
# needs half of it.
NORMAL_SECONDS = 0.025
SLOWEST = 4  # a machine that is slower still is not waited for any longer
FRESH_SECONDS = 5  # for so long, a measurement is good enough

_lock = threading.Lock()
_measured: float = -FRESH_SECONDS
_slowness = 1.0


def slowness() -> float:
    """How many times as long as on a normal machine the same work takes here and now: from 1 to SLOWEST.

    Measured anew, in about 20 ms of this thread's CPU time, when the last measurement is FRESH_SECONDS old.
    """
    global _measured, _slowness
    with _lock:
        if time.monotonic() - _measured >= FRESH_SECONDS:
            _slowness = min(max(_work() / NORMAL_SECONDS, 1.0), SLOWEST)
            _measured = time.monotonic()
        return _slowness


def _work() -> float:
    """CPU seconds that a fixed piece of work takes: numbers, small objects, and fresh pages of memory."""
    begun = time.thread_time()
    total = 0
    for number in range(60):
        pages = bytearray(300_000)
        total += len(pages) + sum(range(5_000)) + len({str(key): key for key in range(500)})
        for factor in range(3_000):
            total ^= factor * number
    return time.thread_time() - begun
