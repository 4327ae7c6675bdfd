"""The CPU time of a process and its descendants, from /proc and from its guardian's reports."""

import time
from typing import NamedTuple, Protocol

from coursekit.engine.supervisor.process_tree import TICK, list_dir, schedule, stat_fields


class Process(Protocol):
    """A process with a guardian; `ForkedProcess` is one."""

    children_seconds: float  # CPU seconds of its descendants, as last reported
    children_waited: float  # seconds for which these waited for a processor

    @property
    def pid(self) -> int: ...

    def poll(self, seconds: float = 0) -> object:
        """Read the guardian's reports."""

    def exclude_current_children(self) -> None:
        """Count only descendants that start later."""


class Sample(NamedTuple):
    """The use of the processor since a `Usage` was created."""

    cpu: float  # CPU seconds
    waited: float  # seconds for which a thread or a descendant was runnable and had no processor
    runnable: bool  # whether a thread is running, or waits for a processor


class Usage:
    """The use of the processor by a process from the creation of this object on.

    Older threads, except the main thread, and older descendants do not count: if an earlier cell has left them running,
    they are not on the clock of a later one.
    """

    def __init__(self, process: Process):
        self._process = process
        self._created = time.clock_gettime(time.CLOCK_BOOTTIME)
        if process.children_seconds:
            process.exclude_current_children()
        self._clock = _clock_of(process.pid)
        self._own_seconds = 0.0  # of the process without its descendants, as last read
        self._first = self._read_all()
        self._older: dict[str, float] = {}  # CPU seconds of each older thread, at the first sample
        self._waits: dict[str, float] = {}  # seconds that each other thread had waited at the last sample
        self._waited = -process.children_waited

    def cpu(self) -> float:
        """Return the CPU seconds of the process, older threads included, and of its descendants but the older ones."""
        return self._read_all() - self._first

    def sample(self) -> Sample:
        """Return the use without older threads. This takes a few system calls per thread."""
        self._process.poll()
        cpu, runnable = self.cpu(), False
        folder, main = f"/proc/{self._process.pid}/task", str(self._process.pid)
        for task in list_dir(folder):
            try:
                fields = stat_fields(f"{folder}/{task}")
                seconds, waited = schedule(f"{folder}/{task}")
                begun = int(fields[19]) / TICK  # seconds after the machine was booted
            except (OSError, ValueError, IndexError):  # it has ended
                continue
            older = begun < self._created - 1 / TICK
            if older and task != main:
                cpu -= seconds - self._older.setdefault(task, seconds)
                continue
            runnable |= fields[0] == b"R"
            self._waited += waited - self._waits.get(task, waited if older else 0.0)
            self._waits[task] = waited
        return Sample(max(cpu, 0.0), self._waited + self._process.children_waited, runnable)

    def _read_all(self) -> float:
        try:
            seconds = time.clock_gettime(self._clock)
        except OSError:  # it has ended
            seconds = self._own_seconds
        self._own_seconds = seconds
        return seconds + self._process.children_seconds


def _clock_of(pid: int) -> int:
    """Return the clock of a process's CPU time for `time.clock_gettime`, as clock_getcpuclockid(3) does.

    Linux encodes the inverted process number, and in the last three bits the kind of clock: 2 is CPU time
    (make_process_cpuclock in include/linux/posix-timers.h). This clock is read at the start of each cell and each
    test; reading /proc/PID/stat instead would take twenty times as long.
    """
    return ~pid << 3 | 2
