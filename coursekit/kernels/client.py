"""Asking the fork servers for a process, and executing cells in a student kernel."""

import contextlib
import os
import secrets
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgpack
from jupyter_client.session import DELIM, Session

from coursekit import frames
from coursekit.course import Limits
from coursekit.errors import CourseError, Stopped
from coursekit.kernels import CHANNELS, scratch
from coursekit.kernels.channel import Channel
from coursekit.kernels.guardian import LOST
from coursekit.outputs import Room, parse

# A limit counts the kernel's own CPU seconds, until so many times as many have passed on the wall: what a machine that
# is busy with ten other things may take.
PATIENCE = 6
TICK = os.sysconf("SC_CLK_TCK")
LOOK_SECONDS = 0.1  # how often it is worth looking how much CPU time a kernel has used
NOT_STARTED = "A kernel ended while it was starting. Run `course doctor`."
MAX_HEADER = 10_000  # bytes of a message's header; an honest one has 300
UNHEARD_SECONDS = 0.5  # for a cell that has said many times what a result has room for, and has not ended yet
MAX_STRAYS = 100  # messages on the shell channel that answer nothing, in one cell
CLEAN_SECONDS = 20  # that a guardian may take to remove what a kernel has left behind
START_SECONDS = 60  # a loaded machine forks slowly; a healthy one takes 0.1 s
STARTS = 3  # in a row, before it is the machine's fault


class ServerLost(CourseError):
    """A process of ours ended with a submission in its hands, and no limit was reported: it is to be graded again."""


class Servers:
    """The warm fork servers of one run. Use as a context manager.

    They start with the first lease, which waits until they are warm; a run that needs no kernel does not pay for
    them. Where one of them has died, all are replaced with the next lease; what they forked before lives on.

    Args:
        unsafe: fork without confinement. Every result made so is marked.
        late: modules to import as well, see `coursekit.grade.late_imports`.
        hash_seed: Python's PYTHONHASHSEED. One value, so that equal runs give equal bytes: sets are printed in
            the same order each time.

    Attributes:
        cpu_seconds: what all processes that have ended used, with everything that they started.
    """

    def __init__(self, unsafe: bool = False, late: Sequence[str] = (), hash_seed: int = 0):
        self.unsafe = unsafe
        self.cpu_seconds = 0.0
        self._late, self._hash_seed = late, hash_seed
        self._starting, self._counting = threading.Lock(), threading.Lock()
        self._generation: Generation | None = None
        self._closed = False

    def __enter__(self) -> "Servers":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    @property
    def folder(self) -> Path:
        """Where their sockets are.

        Raises:
            Stopped: they do not start.
        """
        return self._living().folder

    def wait(self) -> "Generation":
        """Until they are warm.

        Raises:
            Stopped: they do not start.
        """
        return self._living(warm=True)

    def _living(self, warm: bool = False) -> "Generation":
        said = ""
        with self._starting:
            for _ in range(STARTS):
                if self._closed:
                    raise Stopped("Grading has ended.")
                if self._generation is None or self._generation.ended():
                    self._end()
                    self._generation = Generation(self._late, self._hash_seed)
                try:
                    self._generation.hear(2 if warm else 1)
                    return self._generation
                except EOFError as error:
                    said = str(error)
        raise Stopped(f"The fork servers did not start:\n{said}\nRun `course doctor`.")

    def _end(self) -> None:
        if self._generation is not None:
            self._generation.close()
            self._generation = None

    def close(self) -> None:
        """Stop the servers for good; forks end with the connections of their askers."""
        with self._starting:
            self._closed = True
            self._end()

    def lease(self, server: str, request: dict[str, Any], descriptors: list[int]) -> "Lease":
        """Have a process forked. `server` is "student", "examiner" or "reader".

        Raises:
            ServerLost: it dies whenever it is asked.
            Stopped: they do not start.
        """
        for _ in range(STARTS):
            generation = self.wait()
            path, request = generation.folder / f"{server}.sock", {"unsafe": self.unsafe, **request}
            try:
                return Lease(path, request, descriptors, self._count, generation.close)
            except ServerLost as error:  # with nothing in hand yet
                lost = error
        raise lost

    def _count(self, cpu_seconds: float) -> None:
        with self._counting:
            self.cpu_seconds += cpu_seconds


class Generation:
    """Fork servers that were started together, and end together.

    Attributes:
        folder: where their sockets are, once they have said so.
    """

    folder: Path

    def __init__(self, late: Sequence[str], hash_seed: int):
        # The servers make their folder themselves: were this process killed in between, nobody would remove it.
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "LANG": "C.UTF-8",
            "TMPDIR": tempfile.gettempdir(),
            "PYTHONHASHSEED": str(hash_seed),
            "OMP_NUM_THREADS": "1",
        }
        self._heard = 0
        self._log = tempfile.TemporaryFile(prefix="course-log-")  # noqa: SIM115 (as long-lived as this object)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "coursekit.kernels.server", *late],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=environment,
            cwd="/",
        )

    def hear(self, lines: int) -> None:
        """Wait until they have said so much: first their folder, then that they are ready.

        Raises:
            EOFError: they ended; with what they said on stderr.
        """
        while self._heard < lines:
            line = self._process.stdout.readline()
            if not line.endswith(b"\n"):
                self._process.kill()
                self._process.wait()
                self._log.seek(0)
                raise EOFError(self._log.read().decode(errors="replace")[-2000:].strip())
            if self._heard == 0:
                self.folder = Path(os.fsdecode(line[:-1]))
            self._heard += 1

    def ended(self) -> bool:
        """Whether they have to be replaced."""
        return self._process.poll() is not None

    def close(self) -> None:
        """End them, and remove their folder. What they forked lives on."""
        self._process.stdin.close()
        with contextlib.suppress(EOFError):
            self.hear(1)  # they leave it behind when they have to be killed
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()
        self._log.close()
        if self._heard:
            shutil.rmtree(self.folder, ignore_errors=True)


class Lease:
    """A forked process, for as long as this object's connection is open. It is asked for here and waited for later.

    Args:
        path: the server's socket.
        request, descriptors: what the server is told.
        count: told the CPU seconds that the process and all that it started have used.
        suspect: ends the servers; called where it seems to be the server that is lost, not this process's guardian.

    Raises:
        ServerLost: the server does not answer.
    """

    def __init__(
        self,
        path: Path,
        request: dict[str, Any],
        descriptors: list[int],
        count: Callable[[float], None] = lambda cpu_seconds: None,
        suspect: Callable[[], None] = lambda: None,
    ):
        self._count, self._suspect = count, suspect
        self.ended: tuple[str, int] | None = None  # (reason, exit status) once it is over
        self.beside = 0.0  # CPU seconds of what the process has started, as last told
        self._pid, self._pidfd, self._scratch = 0, -1, Path()
        self._connection = socket.socket(socket.AF_UNIX)
        self._connection.settimeout(START_SECONDS)
        try:
            self._connection.connect(str(path))
            frames.send(self._connection, msgpack.packb(request), tuple(descriptors))
        except (ConnectionError, FileNotFoundError, TimeoutError) as error:
            self._connection.close()
            suspect()
            raise ServerLost(f"The {path.stem} server was lost ({error}).") from error
        self._readable = select.poll()
        self._readable.register(self._connection, select.POLLIN)

    @property
    def pid(self) -> int:
        """Its number, as soon as it runs.

        Raises:
            ServerLost: the server or the process's guardian died before that.
            CourseError: it could not be forked.
        """
        if not self._pid:
            try:
                word, value, *rest = msgpack.unpackb(frames.receive(self._connection))
            except (EOFError, OSError) as error:
                self._suspect()
                raise ServerLost(
                    f"A fork server was lost ({error}). Is the machine out of memory?"
                ) from error
            if word == "failed":
                raise CourseError(value)
            if word != "started":
                raise ServerLost("A process could not be forked. Is the machine out of memory?")
            self._pid, self._scratch = value, Path(*rest)
            with contextlib.suppress(OSError):  # it has ended already
                self._pidfd = os.pidfd_open(value)
        return self._pid

    def fileno(self) -> int:
        """Readable when there is something for `poll` to look at."""
        return self._connection.fileno()

    def poll(self, seconds: float = 0) -> tuple[str, int] | None:
        """Why and how the process ended, or None while it lives.

        Raises:
            ServerLost: its guardian died, and so nobody knows.
        """
        deadline = time.monotonic() + seconds
        while self.ended is None:
            _ = self.pid
            if not self._readable.poll(1000 * max(0.0, deadline - time.monotonic())):
                return None
            try:
                word, *rest = msgpack.unpackb(frames.receive(self._connection))
                if word == "used":
                    self.beside = rest[0]
                    continue
                reason, status, cpu_seconds = rest
                self._count(cpu_seconds)
            except (EOFError, OSError):
                reason, status = LOST, -1
                self._clean_up()
            self.ended = reason, status
        if self.ended[0] == LOST:
            raise ServerLost("A guardian was lost, and with it the process that it watched.")
        return self.ended

    def _clean_up(self) -> None:
        """What the guardian would have done. The process itself died with it; what that had started did not."""
        # As long as any of them lives, the number is nobody else's: who else has it shows that none is left.
        if not _ended(self._pidfd) or not os.path.exists(f"/proc/{self._pid}"):
            with contextlib.suppress(OSError):
                os.killpg(self._pid, signal.SIGKILL)
        scratch.remove(self._scratch)

    def signal(self, number: int) -> None:
        """Send the process a signal."""
        with contextlib.suppress(OSError):
            frames.send(self._connection, msgpack.packb(["signal", number]))

    def end(self) -> None:
        """Have the process and all its descendants killed, without waiting for it."""
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Kill the process and all its descendants; returns when they are gone."""
        self.end()
        with contextlib.suppress(CourseError):
            self.poll(10)
        self._connection.close()
        if self._pidfd >= 0:
            os.close(self._pidfd)
            self._pidfd = -1


def _ended(pidfd: int) -> bool:
    """Whether the process is over; so is one that there was no descriptor to be had of."""
    if pidfd < 0:
        return True
    over = select.poll()
    over.register(pidfd, select.POLLIN)
    return bool(over.poll(0))


@dataclass
class Execution:
    """What came of one cell."""

    outputs: list[dict] = field(default_factory=list)  # nbformat outputs
    ended: str = "ok"  # ok, error, timed_out or died
    why: str = ""  # of a death: memory, processes, descriptors, scratch, exited, killed


class StudentKernel:
    """A confined kernel, driven over the Jupyter protocol by one thread.

    Args:
        servers: where it is forked.
        limits: memory and time.
        from_scratch: every dotted name that `serve` may be given: what is behind it is looked up before any cell runs.

    Attributes:
        wire: the examiner's end of the socket to the agent in the kernel.

    Raises:
        ServerLost: also from each method that looks whether the kernel lives: what watched it does not.
    """

    def __init__(self, servers: Servers, limits: Limits, from_scratch: tuple[str, ...] = ()):
        self._limits = limits
        self._used, self._looked = 0.0, -LOOK_SECONDS
        self._things = contextlib.ExitStack()  # that have to be closed
        try:
            self._start(servers, from_scratch)
        except BaseException as error:
            self.close()
            if isinstance(error, FileNotFoundError | ConnectionError):  # a socket, or where it was
                raise ServerLost(f"A kernel was lost while it was starting ({error}).") from error
            raise

    def _start(self, servers: Servers, from_scratch: tuple[str, ...]) -> None:
        folder = tempfile.mkdtemp(prefix="k", dir=servers.folder)
        self._things.callback(shutil.rmtree, folder, ignore_errors=True)
        self.wire, agent = socket.socketpair()
        self._things.callback(self.wire.close)
        connection = {"transport": "ipc", "ip": f"{folder}/k", "key": secrets.token_hex(16)}
        connection |= {f"{name}_port": number for number, name in enumerate(CHANNELS, start=1)}
        listeners: list[socket.socket] = []
        try:
            listeners = listen(connection)
            self._lease = servers.lease(
                "student",
                {
                    "connection": connection,
                    "from_scratch": list(from_scratch),
                    "memory_mb": self._limits.memory_mb,
                    "cpu_seconds": int(self._limits.total_seconds) + 10,
                    "folder": "",
                },
                [*(item.fileno() for item in listeners), agent.fileno()],
            )
        finally:
            for item in (*listeners, agent):
                item.close()
        self._things.callback(self._lease.close)
        try:
            self._stat = open(f"/proc/{self._lease.pid}/stat", "rb", buffering=0)  # noqa: SIM115
        except OSError as error:
            self._lease.poll(1)
            raise CourseError(NOT_STARTED) from error
        self._things.callback(self._stat.close)
        self._session = Session(key=connection["key"].encode())
        self._shell = self._connect("DEALER", connection, "shell")
        self._iopub = self._connect("SUB", connection, "iopub")
        self._poller = select.poll()
        for channel in (self._shell, self._iopub, self._lease):
            self._poller.register(channel, select.POLLIN)
        self._wait_until_ready()

    def execute(self, source: str, seconds: float, room: Room) -> Execution:
        """Run one cell.

        Args:
            source: the cell.
            seconds: as `Clock` counts them; after them the kernel is not usable any more.
            room: how much output may still be kept.
        """
        self.start(source)
        return self.finish(seconds, room)

    def start(self, source: str) -> None:
        """Send a cell without waiting for it."""
        content = {"code": source, "silent": False, "store_history": True, "user_expressions": {}}
        self._ask("execute_request", content | {"allow_stdin": False, "stop_on_error": False})

    def finish(self, seconds: float, room: Room) -> Execution:
        """Collect what the cell that was sent last gives."""
        done = Execution()
        clock = self.clock(seconds)
        replied = idle = False
        strays = 0
        heard = not self._iopub.silent
        while not (replied and idle):
            if self._iopub.silent:  # it had too much to say: its reply alone tells when the cell has ended
                if heard:  # until now, and so it is this cell that said so much
                    clock.shorten(UNHEARD_SECONDS)
                    heard = False
                idle = True
                if not self._iopub.gone:
                    room.close(done.outputs)
                if replied:
                    break
            if strays > MAX_STRAYS or self._shell.silent:  # its reply will never come
                return self._died(done, room, self._why(clock) if self._shell.gone else "killed")
            left = clock.left()
            if left <= 0:
                done.ended = "timed_out"
                return done
            ready = self._wait(left)
            for channel in (self._iopub, self._shell):
                if channel not in ready:
                    continue
                parent, kind, content = self._receive(channel)
                strays += channel is self._shell and bool(kind)
                if parent != self._request:
                    continue
                if channel is self._shell:
                    replied = True
                    if parse(content).get("status") != "ok":
                        done.ended = "error"
                elif kind != "status":
                    room.put_message(done.outputs, kind, content)
                elif len(content) <= MAX_HEADER:
                    idle = parse(content).get("execution_state") == "idle"
            if self._lease in ready and (ended := self._lease.poll()):
                return self._died(done, room, ended[0])
        return done

    def _why(self, clock: "Clock") -> str:
        """Why a kernel ended that is gone: its guardian tells once it has cleaned up. Who only hung up, lives on."""
        deadline = time.monotonic() + CLEAN_SECONDS
        while not self._lease.poll(LOOK_SECONDS):
            if time.monotonic() > deadline or clock.left() <= 0:
                return "killed"
        return self._lease.ended[0]

    def _died(self, done: Execution, room: Room, why: str) -> Execution:
        """The kernel is lost: what it had said before still counts, whichever news came first."""
        while self._lease.ended and self._iopub.poll():
            parent, kind, content = self._receive(self._iopub)
            if parent == self._request and kind != "status":
                room.put_message(done.outputs, kind, content)
        done.ended, done.why = "died", why
        return done

    def serve(self, from_scratch: tuple[str, ...] = ()) -> None:
        """Have the agent in the kernel answer the examiner, until it is told to leave.

        Args:
            from_scratch: dotted names that raise meanwhile.
        """
        self._ask("serve_request", {"from_scratch": list(from_scratch)})

    def leave(self) -> str:
        """Have the agent stop answering, so that cells can run again: "ok", or how the kernel was lost."""
        if ended := self.astray():
            return ended
        try:
            frames.send(self.wire, msgpack.packb(["bye"]))
        except OSError:
            self.died(1)
            return "died"
        # It ends at once, unless the student's code got in between.
        ended = self.finish(2, Room(0)).ended
        return "ok" if ended == "error" else ended

    def astray(self) -> str:
        """ "died" or "left" when the kernel has stopped serving without being told to, else ""."""
        if self.died(0):
            return "died"
        return "left" if self._shell.poll(0) else ""

    def clock(self, seconds: float) -> "Clock":
        """A time limit that starts now."""
        return Clock(self.used, seconds)

    def used(self) -> float:
        """CPU seconds of the kernel with all that it started, a moment old; after its end, when they were last read."""
        now = time.monotonic()
        if now - self._looked >= LOOK_SECONDS:
            self._looked = now
            self._lease.poll()  # what its guardian tells of its family
            with contextlib.suppress(OSError, ValueError):  # the process has ended, this kernel was closed
                self._stat.seek(0)
                fields = self._stat.read().rpartition(b")")[2].split()
                self._used = (int(fields[11]) + int(fields[12])) / TICK
        return self._used + self._lease.beside

    def died(self, seconds: float) -> bool:
        """Whether the process has ended, or ends within `seconds`."""
        return self._lease.poll(seconds) is not None

    def end(self) -> None:
        """Have the kernel killed, without waiting for it. It still has to be closed."""
        self._lease.end()

    def close(self) -> None:
        """Kill the kernel with everything it started."""
        self._things.close()

    def _ask(self, kind: str, content: dict | None = None) -> None:
        self._request = self._session.send(self._shell, kind, content)["header"]["msg_id"]

    def _connect(self, kind: str, connection: dict, name: str) -> Channel:
        channel = Channel(f"{connection['ip']}-{connection[f'{name}_port']}", kind)
        self._things.callback(channel.close)
        return channel

    def _wait(self, seconds: float) -> set:
        """Which of both channels and the lease have something, within `seconds`."""
        waiting = {channel for channel in (self._shell, self._iopub) if channel.poll()}
        found = {number for number, _ in self._poller.poll(0 if waiting else 1000 * max(0.0, seconds))}
        things = (self._shell, self._iopub, self._lease)
        return waiting | {thing for thing in things if thing.fileno() in found}

    def _wait_until_ready(self) -> None:
        """Until both channels work: a subscription takes effect some time after it is made."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            self._ask("kernel_info_request")
            replied = heard = False
            until = time.monotonic() + 1
            while (left := until - time.monotonic()) > 0:
                ready = self._wait(left)
                if self._lease in ready and self._lease.poll():
                    raise CourseError(NOT_STARTED)
                for channel in (self._shell, self._iopub):
                    if channel in ready and self._receive(channel)[0] == self._request:
                        replied |= channel is self._shell
                        heard |= channel is self._iopub
                if replied and heard:
                    return
        raise CourseError(f"A kernel did not start within {START_SECONDS} s.")

    def _receive(self, channel: Channel) -> tuple[str, str, bytes]:
        """One message: the request that it belongs to, its type, its content unparsed; "" for all that is none.

        The content is empty when there is more of it than the channel keeps.
        Signatures are not looked at: the student's process holds the key and can sign what it likes.
        """
        try:
            parts = channel.receive() or []
            start = parts.index(DELIM) + 2  # the signature stands between
            header, parent, _, content = parts[start : start + 4]
            if len(header) <= MAX_HEADER >= len(parent):
                request, kind = parse(parent).get("msg_id", ""), parse(header).get("msg_type")
                if type(request) is str and type(kind) is str:
                    return request, kind, content
        except Exception:  # whatever the student's process sent instead
            pass
        return "", "", b""


class Clock:
    """A time limit that a busy machine does not shorten.

    It counts the CPU seconds of the kernel and of all that it started, so that neighbours cost nobody marks. What
    sleeps uses none: for it PATIENCE times as many seconds on the wall end it.

    Args:
        used: gives these CPU seconds.
        seconds: how many.
    """

    def __init__(self, used: Callable[[], float], seconds: float):
        self._used, self._seconds = used, seconds
        self._wall, self._cpu = time.monotonic(), used()

    def spent(self) -> float:
        """Seconds of the limit that are over."""
        return max(self._used() - self._cpu, (time.monotonic() - self._wall) / PATIENCE)

    def shorten(self, seconds: float) -> None:
        """Leave at most so many."""
        self._seconds = min(self._seconds, self.spent() + seconds)

    def left(self) -> float:
        """Seconds until it is worth looking again; 0 or less when the time is over."""
        left = self._seconds - self.spent()
        return max(left, LOOK_SECONDS) if left > 0 else left


def listen(connection: dict[str, Any]) -> list[socket.socket]:
    """A listening socket for each of Jupyter's five channels, in their fixed order."""
    sockets = []
    for name in CHANNELS:
        port = connection[f"{name}_port"]
        if connection["transport"] == "ipc":
            item = socket.socket(socket.AF_UNIX)
            item.bind(f"{connection['ip']}-{port}")
        else:
            item = socket.socket(socket.AF_INET)
            item.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            item.bind((connection["ip"], port))
        item.listen(64)
        sockets.append(item)
    return sockets
