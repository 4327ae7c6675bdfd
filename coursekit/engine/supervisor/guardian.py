"""The guardian: one small process between the fork server and each of its forks.

It holds the connection to the client, the process that asked for the fork. When the connection closes, for whatever
reason, the guardian kills the fork with all its descendants and removes the scratch folder.
It also checks the process tree as a whole (`process_tree`) and its scratch folder (`scratch`), which no resource limit
covers.
"""

import contextlib
import os
import resource
import select
import signal
import socket
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack

from coursekit.engine.shared import frames
from coursekit.engine.shared.limits import MIN_FREE_MB
from coursekit.engine.supervisor.process_tree import NICE, ProcessTree, descendants
from coursekit.engine.supervisor.sandbox import linux
from coursekit.engine.supervisor.scratch import PREFIX, is_full, remove

LOST = "lost"  # the reason when the guardian itself failed
SIGNAL, EXCLUDE_CURRENT = "signal", "exclude current"  # commands to a guardian
POLL_SECONDS = 0.25
REPORT_SECONDS = 0.1  # used or waited by the descendants between two reports
FULL_CHECK_EVERY = 4  # every fourth check is a full one: of every descriptor and mapping, too


def guard(connection: socket.socket, body: Callable[[Path], None], memory_mb: int, scratch_mb: int) -> None:
    """Fork, run `body(scratch)` in the fork, and watch it until either side ends. Does not return.

    The guardian sends ["started", pid, its own pid, scratch] or ["failed", why]; now and then ["used", CPU seconds of
    the fork's descendants, seconds for which these waited for a processor]; ["ending", reason] before it kills them and
    removes the scratch folder, which may take long; finally ["ended", reason, exit status, CPU seconds of all].
    The exit status is minus the signal's number if a signal ended the fork, and -1 if the guardian ends it. The client
    sends [SIGNAL, number] and [EXCLUDE_CURRENT, 0], after which the time of the present descendants is not counted. End
    of file ends the fork.

    Args:
        connection: to the client.
        body: the fork's work.
        memory_mb: MiB; the process tree's PSS may be `process_tree.TREE_MEMORY_FACTOR` times as much.
        scratch_mb: MiB that its scratch folder may hold.
    """
    linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)  # orphans of the fork become children of this process
    try:
        scratch = _make_scratch()
    except OSError as error:
        _send(connection, ["failed", f"No process can be started: {error}"])
        os._exit(1)
    reason, status = LOST, -1
    pid = 0
    try:
        pid = os.fork()
        if pid == 0:
            _child(connection, body, scratch)
        _send(connection, ["started", pid, os.getpid(), str(scratch)])
        reason, status = _watch(connection, pid, memory_mb, scratch, scratch_mb)
    except BaseException:  # the guardian itself failed: still clean up below
        traceback.print_exc()
    finally:
        _send(connection, ["ending", reason])  # on a busy machine, a large process tree takes long to end
        kill_tree(pid)
        remove(scratch)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        _send(connection, ["ended", reason, status, used.ru_utime + used.ru_stime])
        os._exit(0)


def _make_scratch() -> Path:
    """Make the fork's scratch folder, and return its path.

    Raises:
        OSError: it cannot be made. If space is lacking, the message says where, and what to do.
    """
    folder = tempfile.gettempdir()
    status = os.statvfs(folder)
    free = status.f_bavail * status.f_frsize >> 20
    if free < MIN_FREE_MB or status.f_files and not status.f_favail:
        raise OSError(
            f"the folder for temporary files, {folder}, is full ({free} MiB are free; {MIN_FREE_MB} MiB and an inode "
            "are needed). Make room there, or set TMPDIR to another folder, and run the same command again."
        )
    return Path(tempfile.mkdtemp(prefix=PREFIX))


def _child(connection: socket.socket, body: Callable[[Path], None], scratch: Path) -> None:
    try:
        linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
        os.setsid()
        os.nice(NICE)
        connection.close()
        os.chdir(scratch)
        body(scratch)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(70)


def _watch(
    connection: socket.socket, pid: int, memory_mb: int, scratch: Path, scratch_mb: int
) -> tuple[str, int]:
    """Wait until the fork ends, the client hangs up or a limit is exceeded. Return the reason and the exit status."""
    pidfd = os.pidfd_open(pid)
    poller = select.poll()
    poller.register(pidfd, select.POLLIN)
    poller.register(connection, select.POLLIN)
    tree = ProcessTree(pid, memory_mb, scratch_mb)
    checks = 0
    reported = 0.0
    while True:
        ready = {descriptor for descriptor, _ in poller.poll(POLL_SECONDS * 1000)}
        if pidfd in ready:
            # The fork stays a zombie, so that no other process gets its number or its group's.
            ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
            assert ended is not None  # only with WNOHANG may it be None
            return "exited", ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
        if connection.fileno() in ready:
            try:
                command, number = msgpack.unpackb(frames.receive(connection))
            except (EOFError, OSError, frames.WireError):
                return "killed", -1
            if command == SIGNAL:
                os.kill(pid, number)
            elif command == EXCLUDE_CURRENT:
                tree.exclude_current()
        else:
            checks += 1
            if limit := tree.exceeded_limit(full=checks % FULL_CHECK_EVERY == 0):
                return limit, -1
            if is_full(scratch, scratch_mb, tree.unlinked_bytes):
                return "scratch", -1
            used = tree.children_seconds + tree.children_waited
            if used - reported >= REPORT_SECONDS:
                reported = used
                _send(connection, ["used", tree.children_seconds, tree.children_waited])
        while _reap(except_pid=pid):  # adopted orphans
            pass


def _reap(except_pid: int) -> bool:
    """Reap one ended child that is not the fork itself. Return whether there was one."""
    try:
        ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if ended is None or ended.si_pid == except_pid:
            return False
        os.waitpid(ended.si_pid, 0)
        return True
    except ChildProcessError:
        return False


def kill_tree(leader: int) -> None:
    """Kill and reap every descendant of this process, for at most five seconds.

    The leader's process group, which a confined process cannot leave, is killed at once, however fast it forks.
    Unconfined processes are all stopped before any is killed, so that none forks in between.

    Args:
        leader: the fork, not reaped yet; 0 when there is none.
    """
    if leader:
        with contextlib.suppress(OSError):
            os.killpg(leader, signal.SIGKILL)
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        tree = descendants(os.getpid())
        for signal_number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in tree:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal_number)
        try:
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass
        except ChildProcessError:
            return
        time.sleep(0.002)


def _send(connection: socket.socket, message: list[Any]) -> None:
    with contextlib.suppress(OSError):
        frames.send(connection, msgpack.packb(message))
