"""The guardian: one small process between the fork server and each fork that may run student code.

It holds the connection of whoever asked for the fork. When that connection closes, for whatever reason, it kills
the fork with all its descendants and removes the scratch folder: nothing outlives its use. It also watches what
no resource limit covers: what the whole family uses (`family.py`), and the scratch folder (`scratch.py`).
"""

import contextlib
import ctypes
import os
import resource
import select
import signal
import socket
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack

from coursekit.engine.shared import frames
from coursekit.engine.shared.limits import MIN_FREE_MB
from coursekit.engine.supervisor.process_tree import NICE, Family, descendants
from coursekit.engine.supervisor.scratch import PREFIX, is_full, remove

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
LOST = "lost"  # why a process ended whose guardian failed
SIGNAL, LEAVE_OUT = "signal", "leave out"  # what a guardian can be told
POLL_SECONDS = 0.25
TELL_SECONDS = 0.1  # of CPU that are worth telling
CLOSELY = 4  # every so many looks, a closer one


def guard(connection: socket.socket, body: Callable[[Path], None], memory_mb: int, scratch_mb: int) -> None:
    """Fork, run `body(scratch)` in the fork, and watch it until either side is done. Does not return.

    Args:
        connection: to whoever asked. Gets ["started", pid, its own pid, scratch] or ["failed", why]; now and then
            ["used", CPU seconds of what the fork has started, seconds for which that waited for a processor];
            ["over", reason] before all that is killed and what it left is removed, which may take long; at last
            ["ended", reason, exit status, CPU seconds of the whole family].
            Takes [SIGNAL, number] and [LEAVE_OUT, 0], see `Family.leave_out`. Its end of file means: stop.
        body: the fork's work.
        memory_mb: resident memory that the family may use beyond what it shares with the server, MiB.
        scratch_mb: MiB that may be in its scratch folder.
    """
    prctl(PR_SET_CHILD_SUBREAPER, 1)  # orphans of the fork come to us, not to init
    try:
        scratch = _make_scratch()
    except OSError as error:
        _say(connection, ["failed", f"No kernel can be started: {error}"])
        os._exit(1)
    reason, status = LOST, -1
    pid = 0
    try:
        pid = os.fork()
        if pid == 0:
            _child(connection, body, scratch)
        _say(connection, ["started", pid, os.getpid(), str(scratch)])
        reason, status = _watch(connection, pid, memory_mb, scratch, scratch_mb)
    except BaseException:  # whatever befell the guardian itself: still clean up below
        pass
    finally:
        _say(connection, ["over", reason])  # first: on a busy machine, a large family takes long to end
        kill_family(pid)
        remove(scratch)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        _say(connection, ["ended", reason, status, used.ru_utime + used.ru_stime])
        os._exit(0)


def _make_scratch() -> Path:
    """The fork's scratch folder.

    Raises:
        OSError: there is no room for it; says where, and what to do.
    """
    folder = tempfile.gettempdir()
    room = os.statvfs(folder)
    free = room.f_bavail * room.f_frsize >> 20
    if free < MIN_FREE_MB or room.f_files and not room.f_favail:
        raise OSError(
            f"the folder for temporary files, {folder}, is full ({free} MiB are free, {MIN_FREE_MB} are needed). "
            "Make room there, or set TMPDIR to another folder, and run the same command again."
        )
    return Path(tempfile.mkdtemp(prefix=PREFIX))


def _child(connection: socket.socket, body: Callable[[Path], None], scratch: Path) -> None:
    try:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        os.setsid()
        os.nice(NICE)
        connection.close()
        os.chdir(scratch)
        body(scratch)
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        os._exit(70)


def _watch(
    connection: socket.socket, pid: int, memory_mb: int, scratch: Path, scratch_mb: int
) -> tuple[str, int]:
    """Wait for the fork's end, the asker's hanging up, or a limit. Gives the reason and the exit status."""
    pidfd = os.pidfd_open(pid)
    poller = select.poll()
    poller.register(pidfd, select.POLLIN)
    poller.register(connection, select.POLLIN)
    family = Family(pid, memory_mb, scratch_mb)
    looks = 0
    told = 0.0
    while True:
        ready = {descriptor for descriptor, _ in poller.poll(POLL_SECONDS * 1000)}
        if pidfd in ready:
            # Not collected yet: until then its number, and its group's, are nobody else's.
            ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
            assert ended is not None  # what WNOHANG alone would give
            return "exited", ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
        if connection.fileno() in ready:
            try:
                command, number = msgpack.unpackb(frames.receive(connection))
            except (EOFError, OSError, frames.WireError):
                return "killed", -1
            if command == SIGNAL:
                os.kill(pid, number)
            elif command == LEAVE_OUT:
                family.leave_out()
        else:
            looks += 1
            if over := family.over_limit(closely=looks % CLOSELY == 0):
                return over, -1
            if is_full(scratch, scratch_mb, family.unnamed):
                return "scratch", -1
            if family.beside + family.waited - told >= TELL_SECONDS:
                told = family.beside + family.waited
                _say(connection, ["used", family.beside, family.waited])
        while _reap(pid):  # adopted orphans
            pass


def _reap(but: int) -> bool:
    """Collect one dead child that is not the fork itself."""
    try:
        found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if found is None or found.si_pid == but:
            return False
        os.waitpid(found.si_pid, 0)
        return True
    except ChildProcessError:
        return False


def kill_family(leader: int) -> None:
    """Kill every descendant of this process and collect them.

    What is confined cannot leave its leader's process group, which dies in one go: a family that forks as fast as
    it dies cannot keep ahead. What is not confined is stopped before any of it is killed, for the same reason.

    Args:
        leader: the fork, not collected yet; 0 when there is none.
    """
    if leader:
        with contextlib.suppress(OSError):
            os.killpg(leader, signal.SIGKILL)
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        family = descendants(os.getpid())
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in family:
                with contextlib.suppress(OSError):
                    os.kill(pid, number)
        try:
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass
        except ChildProcessError:
            return
        time.sleep(0.002)


def _say(connection: socket.socket, message: list[Any]) -> None:
    with contextlib.suppress(OSError):
        frames.send(connection, msgpack.packb(message))


def prctl(option: int, argument: int) -> None:
    """Linux prctl(2)."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, argument, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option}) failed")
