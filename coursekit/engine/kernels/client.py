"""A student kernel, from the coordinator: it is started, executes cells, and serves the examiner."""

import contextlib
import io
import os
import secrets
import select
import shutil
import socket
import tempfile
import time
from dataclasses import dataclass, field
from typing import Any

import msgpack
from jupyter_client.session import DELIM, Session

from coursekit.engine import frames
from coursekit.engine.errors import CourseError
from coursekit.engine.kernels import CHANNELS
from coursekit.engine.kernels.channel import Channel
from coursekit.engine.kernels.clock import LOOK_SECONDS, Clock
from coursekit.engine.kernels.lease import START_SECONDS, ServerLost
from coursekit.engine.kernels.pace import SLOWEST
from coursekit.engine.kernels.servers import Servers
from coursekit.engine.limits import Limits
from coursekit.engine.outputs import Room, parse

NOT_STARTED = "A kernel ended while it was starting. Run `course doctor`."
MAX_HEADER = 10_000  # bytes of a message's header; an honest one has 300
UNHEARD_SECONDS = 0.5  # for a cell that has said many times what a result has room for, and has not ended yet
MAX_STRAYS = 100  # messages on the shell channel that answer nothing, in one cell
TICK = os.sysconf("SC_CLK_TCK")
CLEAN_SECONDS = 20  # that a guardian may take to remove what a kernel has left behind


@dataclass
class Execution:
    """What came of one cell."""

    outputs: list[dict[str, Any]] = field(default_factory=list)  # nbformat outputs
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
        self._used, self._waited, self._looked = 0.0, 0.0, -LOOK_SECONDS
        self._schedule: io.FileIO | io.BytesIO = io.BytesIO()
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
        connection: dict[str, Any] = {"transport": "ipc", "ip": f"{folder}/k", "key": secrets.token_hex(16)}
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
                    "cpu_seconds": int(SLOWEST * self._limits.total_seconds) + 10,
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
            raise ServerLost(NOT_STARTED) from error
        self._things.callback(self._stat.close)
        with contextlib.suppress(OSError):  # where the system does not count it, nobody waits
            self._schedule = open(f"/proc/{self._lease.pid}/schedstat", "rb", buffering=0)  # noqa: SIM115
            self._things.callback(self._schedule.close)
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
        """Why a kernel that is gone has ended, as its guardian tells. One that only hung up lives on."""
        deadline = time.monotonic() + CLEAN_SECONDS
        while not self._lease.poll(LOOK_SECONDS):
            if time.monotonic() > deadline or clock.left() <= 0:
                return self._lease.over or "killed"
        return self._lease.ended[0] if self._lease.ended else "killed"

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

    def used(self) -> tuple[float, float]:
        """CPU seconds of the kernel with all that it started, and seconds for which it waited for a processor.

        They are a moment old; after its end, as they were last read.
        """
        now = time.monotonic()
        if now - self._looked >= LOOK_SECONDS:
            self._looked = now
            self._lease.poll()  # what its guardian tells of its family
            with contextlib.suppress(OSError, ValueError):  # the process has ended, this kernel was closed
                self._stat.seek(0)
                fields = self._stat.read().rpartition(b")")[2].split()
                self._used = (int(fields[11]) + int(fields[12])) / TICK
            with contextlib.suppress(OSError, ValueError, LookupError):  # or this system does not count it
                self._schedule.seek(0)
                self._waited = int(self._schedule.read().split()[1]) / 1e9
        return self._used + self._lease.beside, self._waited + self._lease.waited

    def died(self, seconds: float) -> bool:
        """Whether the process has ended, or ends within `seconds`."""
        return self._lease.poll(seconds) is not None

    def end(self) -> None:
        """Have the kernel killed, without waiting for it. It still has to be closed."""
        self._lease.end()

    def close(self) -> None:
        """Kill the kernel with everything it started."""
        self._things.close()

    def _ask(self, kind: str, content: dict[str, Any] | None = None) -> None:
        sent = self._session.send(self._shell, kind, content)  # type: ignore[arg-type]  # a Channel does as a socket
        assert sent is not None
        self._request = sent["header"]["msg_id"]

    def _connect(self, kind: str, connection: dict[str, Any], name: str) -> Channel:
        channel = Channel(f"{connection['ip']}-{connection[f'{name}_port']}", kind)
        self._things.callback(channel.close)
        return channel

    def _wait(self, seconds: float) -> set[Any]:
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
                    raise ServerLost(NOT_STARTED)
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
            start = parts.index(DELIM) + 2  # the signature is between
            header, parent, _, content = parts[start : start + 4]
            if len(header) <= MAX_HEADER >= len(parent):
                request, kind = parse(parent).get("msg_id", ""), parse(header).get("msg_type")
                if type(request) is str and type(kind) is str:
                    return request, kind, content
        except Exception:  # whatever the student's process sent instead
            pass
        return "", "", b""


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
