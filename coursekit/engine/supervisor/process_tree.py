"""Limits for a fork and all its descendants together.

Linux's own limits hold for one process or for a whole user. A guardian counts from outside how many processes and
threads, how much memory, and which sockets, pipes and unlinked files the process tree that it watches has.
"""

import contextlib
import math
import os
import resource
import stat

from coursekit.engine.shared.limits import MAX_PROCESSES, MAX_TASKS

# The tree's limit, as a multiple of one process's: a process alone meets its own first, and raises MemoryError.
TREE_MEMORY_FACTOR = 1.5
MAX_BUFFERS = 512  # sockets and pipes: each can hold several hundred KB of Linux's memory
MAX_WATCHES = 10_000  # entries of epoll lists, whose number Linux limits for a whole user
TICK = os.sysconf("SC_CLK_TCK")  # ticks in a second
MAX_RUNNABLE = 2  # tasks that may be runnable at once at full priority
# Forks have a lower priority than their guardian, which would otherwise wait for thousands of processes.
NICE = 5


class ProcessTree:
    """The descendants of this process, a guardian.

    Args:
        leader: the first descendant, which leads their process group.
        memory_mb: MiB; the sum of their PSS may be `TREE_MEMORY_FACTOR` times as much.
        file_mb: the sandbox's limit for one file, MiB.

    Attributes:
        children_seconds: CPU seconds, at the last check, of all but the leader and what `exclude_current` left out.
        children_waited: seconds for which the main thread of one or more was runnable and had no processor.
        unlinked_bytes: bytes on the disk of open or mapped files without a name, at the last full check.
    """

    def __init__(self, leader: int, memory_mb: int, file_mb: int):
        self._leader, self._max_file = leader, file_mb << 20
        self._max_kb = TREE_MEMORY_FACTOR * memory_mb * 1024
        self._nice = NICE
        self._times: dict[int, float] = {}  # CPU seconds of each member but the leader, at the last check
        self._seen = 0.0  # sum of all increases of these
        self._waits: dict[int, float] = {}  # seconds that each one's main thread waited for a processor
        self._excluded: set[int] = set()  # members that are not counted any more
        self._excluded_seconds = 0.0  # CPU seconds that they have used since
        self.children_seconds = self.children_waited = 0.0
        self.unlinked_bytes = 0

    def exceeded_limit(self, full: bool) -> str:
        """Return the name of the limit that the tree exceeds, or "".

        Args:
            full: also check every descriptor and mapping, which takes a few milliseconds.
        """
        members = descendants(os.getpid(), MAX_PROCESSES)
        if len(members) > MAX_PROCESSES:
            return "processes"
        self._count_time(members)
        tasks = runnable = 0
        for member in members:
            names = list_dir(f"/proc/{member}/task")
            tasks += len(names)
            if tasks > MAX_TASKS:
                return "processes"
            runnable += sum(_state(f"/proc/{member}/task/{name}") == "R" for name in names)
        self._lower_priority(runnable)
        if full and (limit := self._check_descriptors(members)):
            return limit
        # First a cheap upper bound, in which shared memory counts for each member.
        if sum(_resident_kb(member) for member in members) <= self._max_kb:
            return ""
        return "memory" if sum(_proportional_kb(member) for member in members) > self._max_kb else ""

    def _count_time(self, members: list[int]) -> None:
        """Sum up the CPU seconds of all members but the leader.

        Linux adds those of an ended process to the process that waited for it. A parent that ignores SIGCHLD waits for
        none of its children: the seconds that these were seen to use count instead.
        """
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)  # ended orphans, which this process adopts
        total, times, waits = ended.ru_utime + ended.ru_stime, {}, {}
        for member in members:
            used, reaped = _seconds(member)
            total += reaped
            if member != self._leader:
                total += used
                times[member] = used
                increase = max(0.0, used - self._times.get(member, 0.0))
                if member in self._excluded:
                    self._excluded_seconds += increase
                else:
                    with contextlib.suppress(OSError, ValueError):  # it has ended
                        waits[member] = schedule(f"/proc/{member}")[1]
                    self._seen += increase
        increases = [wait - self._waits.get(member, 0.0) for member, wait in waits.items()]
        self.children_waited += max([0.0, *increases])  # simultaneous waiting counts once
        self._times, self._waits = times, waits
        self._excluded.intersection_update(times)
        self.children_seconds = max(self.children_seconds, total - self._excluded_seconds, self._seen)

    def exclude_current(self) -> None:
        """Do not count the time of the present descendants any more."""
        members = descendants(os.getpid(), MAX_PROCESSES)
        self._count_time(members)
        self._excluded.update(members)
        self._excluded.discard(self._leader)

    def _lower_priority(self, runnable: int) -> None:
        """Give many runnable tasks together about the share of the processor that one process has."""
        if runnable > MAX_RUNNABLE:
            self._nice = max(self._nice, min(19, NICE + math.ceil(math.log(runnable, 1.25))))
        if self._nice > NICE:  # again at each check: a child that was just being forked kept the old priority
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PGRP, self._leader, self._nice)

    def _check_descriptors(self, members: list[int]) -> str:
        """Count sockets, pipes, epoll entries and the bytes of unlinked files; return the limit exceeded, or ""."""
        buffers: set[str] = set()
        unlinked: dict[tuple[int, int], int] = {}
        watches = 0
        for member in members:
            folder = f"/proc/{member}/fd"
            try:
                names = os.listdir(folder)
            except PermissionError:
                if _resident_kb(member) == 0:  # a zombie
                    continue
                return "processes"  # it has hidden itself
            except OSError:
                continue
            for name in names:
                with contextlib.suppress(OSError):
                    target = os.readlink(f"{folder}/{name}")
                    if target.startswith(("socket:", "pipe:")):
                        buffers.add(target)
                    elif target == "anon_inode:[eventpoll]":
                        with open(f"/proc/{member}/fdinfo/{name}", "rb") as file:
                            watches += file.read(MAX_WATCHES * 64).count(b"\n")
                    elif target.endswith(" (deleted)"):
                        _add_unlinked(unlinked, os.stat(f"{folder}/{name}"))
            _add_mapped(unlinked, member, self._max_file)
        self.unlinked_bytes = sum(unlinked.values())
        return "descriptors" if len(buffers) > MAX_BUFFERS or watches > MAX_WATCHES else ""


def descendants(pid: int, enough: float = math.inf) -> list[int]:
    """Return all descendants of a process, zombies included, parents before children.

    Args:
        enough: stop when more than this are found: a process tree may grow faster than it can be listed.
    """
    members: list[int] = []
    queue = [pid]
    while queue and len(members) <= enough:
        parent = queue.pop()
        for task in list_dir(f"/proc/{parent}/task"):
            with contextlib.suppress(OSError), open(f"/proc/{parent}/task/{task}/children") as file:
                children = [int(word) for word in file.read().split()]
                members.extend(children)
                queue.extend(children)
    return members


def list_dir(folder: str) -> list[str]:
    """Return `os.listdir(folder)`, or [] if that fails."""
    try:
        return os.listdir(folder)
    except OSError:
        return []


def stat_fields(folder: str) -> list[bytes]:
    """Return the fields in the file `stat` of a process's or thread's folder in /proc, from the third on, the state.

    Raises:
        OSError: it has ended.
    """
    with open(f"{folder}/stat", "rb") as file:
        return (
            file.read().rpartition(b")")[2].split()
        )  # the second is the name, in parentheses, with any characters


def schedule(folder: str) -> tuple[float, float]:
    """Return a thread's CPU seconds, and those it waited for a processor; zeros if Linux does not count them.

    Args:
        folder: the thread's in /proc, or a process's for its main thread.

    Raises:
        OSError, ValueError: it has ended.
    """
    try:
        with open(f"{folder}/schedstat", "rb") as file:
            cpu, waited, _ = file.read().split()
        return int(cpu) / 1e9, int(waited) / 1e9
    except FileNotFoundError:
        return 0.0, 0.0


def _state(task: str) -> str:
    """Return a task's state (R, S, D, Z ...), or "" if it has ended."""
    try:
        return stat_fields(task)[0].decode()
    except (OSError, IndexError):
        return ""


def _seconds(pid: int) -> tuple[float, float]:
    """Return the CPU seconds of a process, and of the children that it has waited for."""
    try:
        user, system, users, systems = map(int, stat_fields(f"/proc/{pid}")[11:15])
        return (user + system) / TICK, (users + systems) / TICK
    except (OSError, ValueError):
        return 0.0, 0.0


def _resident_kb(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            return int(file.read().split()[1]) * (os.sysconf("SC_PAGESIZE") >> 10)
    except (OSError, IndexError):
        return 0


def _proportional_kb(pid: int) -> int:
    """Return the proportional set size of a process, KiB; its resident memory where that cannot be read."""
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            return int(file.read().split("\nPss:")[1].split()[0])
    except (OSError, IndexError):
        return _resident_kb(pid)


def _add_unlinked(sizes: dict[tuple[int, int], int], file_status: os.stat_result) -> None:
    if stat.S_ISREG(file_status.st_mode) and file_status.st_nlink == 0:
        sizes[file_status.st_dev, file_status.st_ino] = file_status.st_blocks * 512


def _add_mapped(sizes: dict[tuple[int, int], int], pid: int, max_bytes: int) -> None:
    """Add unlinked files that are mapped but not open: `max_bytes` for each whose size cannot be read."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/maps", errors="replace") as file:
        for line in file:
            if not line.endswith(" (deleted)\n") or " /dev/zero " in line or " /memfd:" in line:
                continue  # not an unlinked file on a disk
            span, _, _, device, inode, *_ = line.split()
            major, minor = (int(part, 16) for part in device.split(":"))
            key = os.makedev(major, minor), int(inode)
            if key not in sizes:
                try:
                    _add_unlinked(sizes, os.stat(f"/proc/{pid}/map_files/{span}"))
                except OSError:  # only root may read it: assume the largest size
                    sizes[key] = max_bytes
