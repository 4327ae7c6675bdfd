"""What a process and all that it has started use, as Linux and its guardian tell it."""

import os
import time
from typing import NamedTuple, Protocol

TICK = os.sysconf("SC_CLK_TCK")


class Process(Protocol):
    """A process with a guardian, see `kernels.lease.Lease`.

    Attributes:
        pid: its number.
        beside: CPU seconds of the processes that it has started.
        waited: seconds for which these were ready to run and others had the processor.
    """

    beside: float
    waited: float

    @property
    def pid(self) -> int: ...

    def poll(self, seconds: float = 0) -> object:
        """Hear what the guardian tells."""

    def leave_out_children(self) -> None:
        """Have the guardian count no more what these processes use, but only what later ones do."""


class Sample(NamedTuple):
    """What has been used since a `Usage` was made."""

    cpu: float  # CPU seconds
    waited: float  # seconds for which a thread or a child was ready to run and others had the processor
    ready: bool  # whether one is running now, or ready to


class Usage:
    """What a process uses from the moment on at which this object is made.

    Threads and children that had begun before are left out, all but the main thread: what an earlier cell has left
    running is not on the clock of a later one.
    """

    def __init__(self, process: Process):
        self._process = process
        self._born = time.clock_gettime(time.CLOCK_BOOTTIME)
        if process.beside:
            process.leave_out_children()
        self._clock = _clock_of(process.pid)
        self._all = 0.0  # as last read
        self._first = self._read_all()
        self._left_out: dict[
            str, float
        ] = {}  # CPU seconds of each earlier thread, when it was first looked at
        self._waits: dict[str, float] = {}
        self._waited = -process.waited

    def cpu(self) -> float:
        """CPU seconds of the process and its children, those of earlier threads among them."""
        return self._read_all() - self._first

    def sample(self) -> Sample:
        """A closer look, which takes a few system calls per thread."""
        self._process.poll()
        cpu, ready = self.cpu(), False
        folder, main = f"/proc/{self._process.pid}/task", str(self._process.pid)
        for task in _listed(folder):
            try:
                state, begun = _stat(f"{folder}/{task}")
                seconds, waited = _schedule(f"{folder}/{task}")
            except (OSError, ValueError, IndexError):  # it has ended
                continue
            earlier = begun < self._born - 1 / TICK
            if earlier and task != main:
                cpu -= seconds - self._left_out.setdefault(task, seconds)
                continue
            ready |= state == "R"
            self._waited += waited - self._waits.get(task, waited if earlier else 0.0)
            self._waits[task] = waited
        return Sample(max(cpu, 0.0), self._waited + self._process.waited, ready)

    def _read_all(self) -> float:
        try:
            seconds = time.clock_gettime(self._clock)
        except OSError:  # it has ended
            seconds = self._all
        self._all = seconds
        return seconds + self._process.beside


def _clock_of(pid: int) -> int:
    """The clock of a process's CPU time, for `time.clock_gettime`, as clock_getcpuclockid(3) gives it.

    Linux keeps the inverted number in all bits but the last three, and in these what is counted: 2 for the time on a
    processor (make_process_cpuclock in include/linux/posix-timers.h). A limit on each cell and each test begins
    with a look, and a look into /proc/PID/stat takes twenty times as long.
    """
    return ~pid << 3 | 2


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _stat(task: str) -> tuple[str, float]:
    """A thread's state (R, S, D ...), and when it began, in seconds since the machine's start."""
    with open(f"{task}/stat", "rb") as file:
        fields = file.read().rpartition(b") ")[2].split()
    return chr(fields[0][0]), int(fields[19]) / TICK


def _schedule(task: str) -> tuple[float, float]:
    """CPU seconds of a thread, and seconds for which it waited for a processor; zeros where nobody counts them."""
    try:
        with open(f"{task}/schedstat", "rb") as file:
            cpu, waited, _ = file.read().split()
        return int(cpu) / 1e9, int(waited) / 1e9
    except FileNotFoundError:
        return 0.0, 0.0
