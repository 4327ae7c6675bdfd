"""Asking the fork servers for a process, and executing cells in a student kernel."""

import contextlib
import json
import os
import secrets
import select
import shutil
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
from coursekit.errors import CourseError
from coursekit.kernels import CHANNELS
from coursekit.kernels.channel import Channel
from coursekit.outputs import Room

PATIENCE = (
    3  # a limit counts the kernel's own CPU seconds, until so many times as many have passed on the wall
)
TICK = os.sysconf("SC_CLK_TCK")
LOOK_SECONDS = 0.1  # how often it is worth looking how much CPU time a kernel has used
NOT_STARTED = "A kernel ended while it was starting. Run `course doctor`."
START_SECONDS = 60  # a loaded machine forks slowly; a healthy one takes 0.1 s


class Servers:
    """The two warm fork servers of one run. Use as a context manager.

    They start with the first lease, which waits until they are warm: who needs no kernel pays for none.

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
        self._lock = threading.Lock()
        self._process: subprocess.Popen | None = None
        self._folder: Path | None = None
        self._ready = False

    def __enter__(self) -> "Servers":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    @property
    def folder(self) -> Path:
        """Where their sockets are.

        Raises:
            CourseError: they did not start.
        """
        with self._lock:
            if self._process is None:
                self._start()
            if self._folder is None:
                self._folder = Path(os.fsdecode(self._line()))
            return self._folder

    def wait(self) -> None:
        """Until they are warm.

        Raises:
            CourseError: they did not start.
        """
        _ = self.folder
        with self._lock:
            if not self._ready:
                self._line()
            self._ready = True

    def _start(self) -> None:
        # The servers make their folder themselves: were this process killed in between, nobody would remove it.
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "LANG": "C.UTF-8",
            "TMPDIR": tempfile.gettempdir(),
            "PYTHONHASHSEED": str(self._hash_seed),
            "OMP_NUM_THREADS": "1",
        }
        self._log = tempfile.TemporaryFile(prefix="course-log-")  # noqa: SIM115 (as long-lived as this object)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "coursekit.kernels.server", *self._late],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=environment,
            cwd="/",
        )

    def _line(self) -> bytes:
        """What they say next: first their folder, then that they are ready."""
        line = self._process.stdout.readline()
        if not line.endswith(b"\n"):
            self._log.seek(0)
            text = self._log.read().decode(errors="replace")[-2000:].strip()
            raise CourseError(f"The fork server did not start:\n{text}\nRun `course doctor`.")
        return line[:-1]

    def close(self) -> None:
        """Stop both servers; forks end with the connections of their askers."""
        if self._process is None:
            return
        self._process.stdin.close()
        with contextlib.suppress(CourseError):
            _ = self.folder  # they leave it behind when they have to be killed
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()
        self._log.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def lease(self, server: str, request: dict[str, Any], descriptors: list[int]) -> "Lease":
        """Have a process forked. `server` is "student" or "examiner"."""
        self.wait()
        path = self.folder / f"{server}.sock"
        return Lease(path, {"unsafe": self.unsafe, **request}, descriptors, self._count)

    def _count(self, cpu_seconds: float) -> None:
        with self._lock:
            self.cpu_seconds += cpu_seconds


class Lease:
    """A forked process, for as long as this object's connection is open. It is asked for here and waited for later."""

    def __init__(
        self,
        path: Path,
        request: dict[str, Any],
        descriptors: list[int],
        count: Callable[[float], None] = lambda cpu_seconds: None,
    ):
        self._count = count
        self.ended: tuple[str, int] | None = None  # (reason, exit status) once it is over
        self._connection = socket.socket(socket.AF_UNIX)
        self._connection.settimeout(START_SECONDS)
        self._connection.connect(str(path))
        frames.send(self._connection, msgpack.packb(request), tuple(descriptors))
        self._readable = select.poll()
        self._readable.register(self._connection, select.POLLIN)
        self._pid = 0

    @property
    def pid(self) -> int:
        """Its number, as soon as it runs.

        Raises:
            CourseError: it could not be forked.
        """
        if not self._pid:
            try:
                word, value = msgpack.unpackb(frames.receive(self._connection))
            except (EOFError, OSError) as error:
                raise CourseError("The fork server could not fork. Is the machine out of memory?") from error
            if word != "started":
                raise CourseError(value)
            self._pid = value
        return self._pid

    def fileno(self) -> int:
        """Readable when the process has ended."""
        return self._connection.fileno()

    def poll(self, seconds: float = 0) -> tuple[str, int] | None:
        """Why and how the process ended, or None while it lives."""
        if self.ended is None:
            try:
                _ = self.pid
                if not self._readable.poll(1000 * seconds):
                    return None
                _, reason, status, cpu_seconds = msgpack.unpackb(frames.receive(self._connection))
                self.ended = (reason, status)
                self._count(cpu_seconds)
            except (EOFError, OSError, CourseError):
                self.ended = ("killed", -1)
        return self.ended

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
        self.poll(10)
        self._connection.close()


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
        from_scratch: dotted names that raise in it.

    Attributes:
        wire: the examiner's end of the socket to the agent in the kernel.
    """

    def __init__(self, servers: Servers, limits: Limits, from_scratch: tuple[str, ...] = ()):
        self._limits = limits
        self._folder = Path(tempfile.mkdtemp(prefix="k", dir=servers.folder))
        self.wire, agent = socket.socketpair()
        connection = {"transport": "ipc", "ip": str(self._folder / "k"), "key": secrets.token_hex(16)}
        connection |= {f"{name}_port": number for number, name in enumerate(CHANNELS, start=1)}
        listeners = listen(connection)
        try:
            self._lease = servers.lease(
                "student",
                {
                    "connection": connection,
                    "from_scratch": list(from_scratch),
                    "memory_mb": limits.memory_mb,
                    "cpu_seconds": int(limits.total_seconds) + 10,
                    "folder": "",
                },
                [*(item.fileno() for item in listeners), agent.fileno()],
            )
        finally:
            for item in (*listeners, agent):
                item.close()
        self._used, self._looked = 0.0, -LOOK_SECONDS
        try:
            self._stat = open(f"/proc/{self._lease.pid}/stat", "rb", buffering=0)  # noqa: SIM115
        except OSError as error:
            self._lease.close()
            raise CourseError(NOT_STARTED) from error
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
        while not (replied and idle):
            left = clock.left()
            if left <= 0:
                done.ended = "timed_out"
                return done
            ready = self._wait(left)
            for channel in (self._iopub, self._shell):
                if channel not in ready:
                    continue
                parent, kind, content = self._receive(channel)
                if parent != self._request:
                    continue
                if channel is self._shell:
                    replied = True
                    if content.get("status") != "ok":
                        done.ended = "error"
                elif kind == "status":
                    idle = content.get("execution_state") == "idle"
                else:
                    room.put(done.outputs, kind, content)
            if self._lease in ready and (ended := self._lease.poll()):
                done.ended, done.why = "died", ended[0]
                return done
        return done

    def serve(self) -> None:
        """Have the agent in the kernel answer the examiner, until it is told to leave."""
        self._ask("serve_request")

    def leave(self) -> str:
        """Have the agent stop answering, so that cells can run again: "ok", or how the kernel was lost."""
        if ended := self.astray():
            return ended
        try:
            frames.send(self.wire, msgpack.packb(["bye"]))
        except OSError:
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
        """CPU seconds of the kernel's process, a moment old; after its end, when they were last read."""
        now = time.monotonic()
        if now - self._looked >= LOOK_SECONDS:
            self._looked = now
            with contextlib.suppress(OSError, ValueError):  # the process has ended, this kernel was closed
                self._stat.seek(0)
                fields = self._stat.read().rpartition(b")")[2].split()
                self._used = (int(fields[11]) + int(fields[12])) / TICK
        return self._used

    def died(self, seconds: float) -> bool:
        """Whether the process has ended, or ends within `seconds`."""
        return self._lease.poll(seconds) is not None

    def end(self) -> None:
        """Have the kernel killed, without waiting for it. It still has to be closed."""
        self._lease.end()

    def close(self) -> None:
        """Kill the kernel with everything it started."""
        for channel in (self._shell, self._iopub):
            channel.close()
        self._lease.close()
        self._stat.close()
        self.wire.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _ask(self, kind: str, content: dict | None = None) -> None:
        self._request = self._session.send(self._shell, kind, content)["header"]["msg_id"]

    def _connect(self, kind: str, connection: dict, name: str) -> Channel:
        return Channel(f"{connection['ip']}-{connection[f'{name}_port']}", kind)

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
                    self.close()
                    raise CourseError(NOT_STARTED)
                for channel in (self._shell, self._iopub):
                    if channel in ready and self._receive(channel)[0] == self._request:
                        replied |= channel is self._shell
                        heard |= channel is self._iopub
                if replied and heard:
                    return
        self.close()
        raise CourseError(f"A kernel did not start within {START_SECONDS} s.")

    def _receive(self, channel: Channel) -> tuple[str, str, dict]:
        """One message: the request that it belongs to, its type, its content; "" for all that is none.

        The content is empty when there is more of it than the channel keeps.
        Signatures are not looked at: the student's process holds the key and can sign what it likes.
        """
        try:
            parts = channel.receive() or []
            start = parts.index(DELIM) + 2  # the signature stands between
            texts = (parts[start + number].decode("utf-8", "surrogatepass") or "{}" for number in (0, 1, 3))
            header, parent, content = map(json.loads, texts)
            request, kind = parent.get("msg_id"), header.get("msg_type")
            if type(request) is str and type(kind) is str and type(content) is dict:
                return request, kind, content
        except Exception:  # whatever the student's process sent instead
            pass
        return "", "", {}


class Clock:
    """A time limit that a busy machine does not shorten.

    It counts the CPU seconds of the kernel's process, so that neighbours cost nobody marks. A process that sleeps,
    or lets others work, uses none: for it PATIENCE times as many seconds on the wall end it.

    Args:
        used: gives the process's CPU seconds.
        seconds: how many.
    """

    def __init__(self, used: Callable[[], float], seconds: float):
        self._used, self._seconds = used, seconds
        self._wall, self._cpu = time.monotonic(), used()

    def spent(self) -> float:
        """Seconds of the limit that are over."""
        return max(self._used() - self._cpu, (time.monotonic() - self._wall) / PATIENCE)

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
