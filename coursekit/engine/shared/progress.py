"""A cell's progress, in shared memory: a kernel writes it, and the coordinator reads it, even after the kernel's end.

Student code can forge it. It only decides which of the student's own statements run again.
"""

import mmap
import os
import resource
import struct
import time
from typing import NamedTuple

_RECORD = struct.Struct("<qqdd?")  # the fields of `Statement`


class Statement(NamedTuple):
    """A statement of a cell that has begun."""

    number: int  # among the cell's, from 0
    line: int  # its first line
    seconds: float  # CPU seconds that the cell had used before it
    memory_mb: float  # MiB by which the kernel's peak memory had grown since the cell began
    children: bool  # whether the kernel had started processes that it has not waited for


class Progress:
    """The coordinator's end. Close it."""

    def __init__(self) -> None:
        self._descriptor = os.memfd_create("progress", os.MFD_CLOEXEC)
        os.ftruncate(self._descriptor, mmap.PAGESIZE)

    def fileno(self) -> int:
        return self._descriptor

    def reset(self) -> None:
        """Record that no statement has begun."""
        os.pwrite(self._descriptor, _RECORD.pack(-1, 0, 0.0, 0.0, False), 0)

    def read(self) -> Statement | None:
        """Return the last statement that has begun; None if none has, or if the record is invalid."""
        data = os.pread(self._descriptor, _RECORD.size, 0)
        statement = Statement(*_RECORD.unpack(data)) if len(data) == _RECORD.size else None
        if statement and statement.number >= 0 and statement.seconds >= 0 <= statement.memory_mb:
            return statement
        return None  # it may be forged

    def close(self) -> None:
        os.close(self._descriptor)


class Reporter:
    """The kernel's end.

    Args:
        descriptor: of the memory of the coordinator's `Progress`.
    """

    def __init__(self, descriptor: int):
        self._memory = mmap.mmap(descriptor, mmap.PAGESIZE)
        self.begin_cell()

    def begin_cell(self) -> None:
        """Begin a cell: count its statements, CPU seconds and memory from here."""
        self._seconds, self._kb = time.process_time(), _peak_kb()
        self._number = -1

    def begin_statement(self, line: int, number: int | None = None) -> None:
        """Record that a statement begins: the next one of the cell, or the one with this number."""
        self._number = self._number + 1 if number is None else number
        seconds, grown = time.process_time() - self._seconds, _peak_kb() - self._kb
        _RECORD.pack_into(self._memory, 0, self._number, line, seconds, grown / 1024, _has_children())


def _peak_kb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _has_children() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True
