"""What a fork and all that it started use, beyond what a limit of the kernel's covers.

Limits are a process's own or a whole user's. What a family has together is counted here, from outside, by its
guardian: processes and threads, memory, sockets and pipes, files that have no name any more.
"""

import contextlib
import math
import os
import resource
import stat

from coursekit.engine.shared.limits import MAX_PROCESSES, MAX_TASKS

# A single process meets its own limit first, as a MemoryError that its cell can show; this one is for families.
SHARE = 1.5
MAX_BUFFERS = 512  # sockets and pipes: each can hold several hundred KB of the kernel's memory
MAX_WATCHES = 10_000  # entries of epoll lists: the kernel has one number of them for a whole user
TICK = os.sysconf("SC_CLK_TCK")
CROWD = 2  # tasks that may want the processor at once
# Whatever runs student code yields to its guardian, which would otherwise queue up behind thousands of its forks.
NICE = 5


class Family:
    """The descendants of this process.

    Args:
        leader: the first of them, which leads their process group.
        memory_mb: resident memory that they may use beyond what they share with the server, MiB.
        file_mb: MiB, the sandbox's limit of a file.
    """

    def __init__(self, leader: int, memory_mb: int, file_mb: int):
        self._leader, self._most_of_a_file = leader, file_mb << 20
        self._most_kb = SHARE * memory_mb * 1024
        self._nice = NICE
        self._times: dict[int, float] = {}  # CPU seconds of each member but the leader, when last looked at
        self._seen = 0.0  # the sum of all that they were seen to use
        self._waits: dict[int, float] = {}  # seconds that each of them was ready and others had the processor
        self._left_out: set[int] = set()  # members that are not counted any more
        self._not_counted = 0.0  # CPU seconds that they have used since
        self.beside = 0.0  # CPU seconds that were used beside the leader's own, when last looked at
        self.waited = 0.0  # seconds for which one of them, or more, was kept waiting for a processor
        self.unnamed = 0  # bytes on the disk of open files that have no name, when last looked at

    def over_limit(self, closely: bool) -> str:
        """The limit that they have passed, or "".

        Args:
            closely: also look at every descriptor and mapping, which takes a few milliseconds.
        """
        members = descendants(os.getpid(), MAX_PROCESSES)
        if len(members) > MAX_PROCESSES:
            return "processes"
        self._count_time(members)
        tasks = runnable = 0
        for member in members:
            names = _listed(f"/proc/{member}/task")
            tasks += len(names)
            if tasks > MAX_TASKS:
                return "processes"
            runnable += sum(_state(f"/proc/{member}/task/{name}") == "R" for name in names)
        self._step_back(runnable)
        if closely and (over := self._descriptors(members)):
            return over
        # Cheap and too high: what is shared counts for each member. Exact only where it matters.
        if sum(_resident_kb(member) for member in members) <= self._most_kb:
            return ""
        return "memory" if sum(_fair_kb(member) for member in members) > self._most_kb else ""

    def _count_time(self, members: list[int]) -> None:
        """Sum up what the others than the leader have used.

        Who has ended is in the figures of whoever collected it. A parent that ignores its children's ends collects
        none of them: of those counts what they were seen to use while they lived.
        """
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)  # orphans, which come to us
        total, times, waits = ended.ru_utime + ended.ru_stime, {}, {}
        for member in members:
            own, collected = _seconds(member)
            total += collected
            if member != self._leader:
                total += own
                times[member] = own
                grown = max(0.0, own - self._times.get(member, 0.0))
                if member in self._left_out:
                    self._not_counted += grown
                else:
                    waits[member] = _waited(member)
                    self._seen += grown
        more = [wait - self._waits.get(member, 0.0) for member, wait in waits.items()]
        self.waited += max([0.0, *more])  # those who wait at the same time wait once
        self._times, self._waits = times, waits
        self._left_out.intersection_update(times)
        self.beside = max(self.beside, total - self._not_counted, self._seen)

    def leave_out(self) -> None:
        """Count no more in `beside` and `waited` what those use that are there now, but only what later ones do."""
        members = descendants(os.getpid(), MAX_PROCESSES)
        self._count_time(members)
        self._left_out.update(members)
        self._left_out.discard(self._leader)

    def _step_back(self, runnable: int) -> None:
        """Give a crowd together about the share of the processor that one process has."""
        if runnable > CROWD:
            self._nice = max(self._nice, min(19, NICE + math.ceil(math.log(runnable, 1.25))))
        if self._nice > NICE:  # again each time: a child that was being made kept its parent's priority
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PGRP, self._leader, self._nice)

    def _descriptors(self, members: list[int]) -> str:
        """Count sockets and pipes, epoll lists, and space on the disk that no folder shows."""
        buffers: set[str] = set()
        unnamed: dict[tuple[int, int], int] = {}
        watches = 0
        for member in members:
            folder = f"/proc/{member}/fd"
            try:
                names = os.listdir(folder)
            except PermissionError:
                if _resident_kb(member) == 0:  # it has ended and waits to be collected
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
                        _add_unnamed(unnamed, os.stat(f"{folder}/{name}"))
            _add_mapped(unnamed, member, self._most_of_a_file)
        self.unnamed = sum(unnamed.values())
        return "descriptors" if len(buffers) > MAX_BUFFERS or watches > MAX_WATCHES else ""


def descendants(pid: int, enough: float = math.inf) -> list[int]:
    """All living descendants of a process, parents before children.

    Args:
        enough: with more than so many found, no further ones are looked for: a family may grow faster than that.
    """
    found: list[int] = []
    queue = [pid]
    while queue and len(found) <= enough:
        parent = queue.pop()
        for task in _listed(f"/proc/{parent}/task"):
            with contextlib.suppress(OSError), open(f"/proc/{parent}/task/{task}/children") as file:
                children = [int(word) for word in file.read().split()]
                found.extend(children)
                queue.extend(children)
    return found


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _state(task: str) -> str:
    """R, S, D, Z ...; "" when it is gone."""
    try:
        with open(f"{task}/stat", "rb") as file:
            return chr(file.read().rpartition(b") ")[2][0])
    except (OSError, IndexError):
        return ""


def _seconds(pid: int) -> tuple[float, float]:
    """CPU seconds of a process, and of the children that it has collected."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        user, system, users, systems = (int(field) for field in fields[11:15])
        return (user + system) / TICK, (users + systems) / TICK
    except (OSError, ValueError):
        return 0.0, 0.0


def _waited(pid: int) -> float:
    """Seconds for which a process was ready and others had the processor; 0 where the system does not count it."""
    try:
        with open(f"/proc/{pid}/schedstat", "rb") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def _resident_kb(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            return int(file.read().split()[1]) * (os.sysconf("SC_PAGESIZE") >> 10)
    except (OSError, IndexError):
        return 0


def _fair_kb(pid: int) -> int:
    """Memory of a process, of what is shared its fair part; all of it where that cannot be told."""
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            return int(file.read().split("\nPss:")[1].split()[0])
    except (OSError, IndexError):
        return _resident_kb(pid)


def _add_unnamed(found: dict[tuple[int, int], int], status: os.stat_result) -> None:
    if stat.S_ISREG(status.st_mode) and status.st_nlink == 0:
        found[status.st_dev, status.st_ino] = status.st_blocks * 512


def _add_mapped(found: dict[tuple[int, int], int], pid: int, most: int) -> None:
    """Files without a name that are mapped, with their descriptors closed: each of at most so many bytes."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/maps", errors="replace") as file:
        for line in file:
            if (
                not line.endswith(" (deleted)\n") or " /dev/zero " in line or " /memfd:" in line
            ):  # no files on a disk
                continue
            span, _, _, device, inode, *_ = line.split()
            major, minor = (int(part, 16) for part in device.split(":"))
            key = os.makedev(major, minor), int(inode)
            if key not in found:
                try:
                    _add_unnamed(found, os.stat(f"/proc/{pid}/map_files/{span}"))
                except OSError:  # only root may look: as large as it can be
                    found[key] = most
