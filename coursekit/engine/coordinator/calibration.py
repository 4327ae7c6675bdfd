"""How much work a CPU second is on this machine: measured once in a run, on the work that student code does most."""

import mmap
import statistics
import time
from collections.abc import Callable

import numpy as np

from coursekit.engine.shared.limits import Calibration

REPETITIONS = 5  # of which the median counts

# CPU seconds that each workload below takes on the machine for which the limits in course.toml are meant. A fast
# machine of today needs half of them.
NORMAL_SECONDS = {"interpreter": 0.008, "pages": 0.008, "matrix": 0.002}

# Small enough for one thread: threads that wait for one another on a busy machine use CPU seconds, too.
_SQUARE = np.full((60, 60), 0.01, np.float32)


def calibrate() -> Calibration:
    """Return how slow this machine is, measured in about 60 ms of CPU time."""
    wall, cpu = time.monotonic(), time.thread_time()
    measured = {
        "interpreter": _slowness("interpreter", _interpret),
        "pages": _slowness("pages", _write_pages),
        "matrix": _slowness("matrix", _multiply),
    }
    waiting_share = 1 - (time.thread_time() - cpu) / max(time.monotonic() - wall, 1e-9)
    return Calibration(**measured, waiting=round(min(max(waiting_share, 0.0), 1.0), 2))


def _slowness(name: str, work: Callable[[], None]) -> float:
    seconds = []
    for _ in range(REPETITIONS):
        start = time.thread_time()
        work()
        seconds.append(time.thread_time() - start)
    return round(statistics.median(seconds) / NORMAL_SECONDS[name], 2)


def _interpret() -> None:
    total = 0
    for number in range(20):
        total += sum(range(5_000)) + len({str(key): key for key in range(500)})
        for factor in range(3_000):
            total ^= factor * number


def _write_pages() -> None:
    size = 8 << 20
    with mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
        memory.madvise(mmap.MADV_NOHUGEPAGE)
        for offset in range(0, size, mmap.PAGESIZE):
            memory[offset] = 1


def _multiply() -> None:
    product = _SQUARE
    for _ in range(200):
        product = product @ _SQUARE
