"""How far a cell has come: a piece of memory that a kernel writes and the coordinator reads, also after a kernel's end.

What is in it is the student's process's word. It decides which of the student's own statements run again, no more.
"""

import mmap
import os
import resource
import struct
import time
from typing import NamedTuple

_FORM = struct.Struct("<qqdd?")


class Statement(NamedTuple):
    """A statement of a cell that has begun."""

    number: int  # among the cell's, from 0
    line: int  # its first
    seconds: float  # CPU seconds that the cell had used before it
    memory_mb: float  # MiB by which the kernel had grown since the cell began
    children: bool  # whether the kernel had started processes that it has not waited for


class Progress:
    """The coordinator's end. Close it."""

    def __init__(self) -> None:
        self._descriptor = os.memfd_create("progress", os.MFD_CLOEXEC)
        os.ftruncate(self._descriptor, mmap.PAGESIZE)

    def fileno(self) -> int:
        return self._descriptor

    def reset(self) -> None:
        """No statement has begun."""
        os.pwrite(self._descriptor, _FORM.pack(-1, 0, 0.0, 0.0, False), 0)

    def read(self) -> Statement | None:
        """The last statement that has begun."""
        data = os.pread(self._descriptor, _FORM.size, 0)
        found = Statement(*_FORM.unpack(data)) if len(data) == _FORM.size else None
        # Another one's word may be anything.
        return found if found and found.number >= 0 and found.seconds >= 0 <= found.memory_mb else None

    def close(self) -> None:
        os.close(self._descriptor)


class Reporter:
    """The kernel's end.

    Args:
        descriptor: of the same memory.
    """

    def __init__(self, descriptor: int):
        self._memory = mmap.mmap(descriptor, mmap.PAGESIZE)
        self.begin()

    def begin(self) -> None:
        """A cell begins."""
        self._seconds, self._kb = time.process_time(), _peak_kb()
        self._number = -1

    def statement(self, line: int, number: int | None = None) -> None:
        """A statement begins: the next one of the cell, unless it is said which."""
        self._number = self._number + 1 if number is None else number
        seconds, grown = time.process_time() - self._seconds, _peak_kb() - self._kb
        _FORM.pack_into(self._memory, 0, self._number, line, seconds, grown / 1024, _has_children())


def _peak_kb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _has_children() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True
