"""A student kernel, from the coordinator: it is started, executes cells, and serves the examiner."""

import resource
import secrets
import select
import shutil
import socket
import tempfile
from collections.abc import Collection
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import msgpack
import msgspec

from coursekit.engine.coordinator.channel import Channel
from coursekit.engine.coordinator.clock import Clock, Meanwhile
from coursekit.engine.coordinator.lease import ServerLost
from coursekit.engine.coordinator.messages import DELIMITER, Requests
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.shared import frames
from coursekit.engine.shared.channels import CHANNELS
from coursekit.engine.shared.limits import MEANWHILE_SECONDS, Limits
from coursekit.engine.shared.outputs import OutputBudget, parse
from coursekit.engine.shared.progress import Progress, Statement

NOT_STARTED = "A kernel ended while it was starting. Run `course doctor`."
MAX_HEADER = 10_000  # bytes of a message's header; an honest one has 300
MAX_STRAYS = 100  # messages on the shell channel that answer nothing, in one cell
LEAVE_SECONDS = 2  # for an agent to leave: it does so at once
CLEAN_SECONDS = 20  # for a guardian to remove what a kernel has left behind


class Header(msgspec.Struct):
    """What is read of a message's header, and of the header of the request that it answers."""

    msg_id: str = ""
    msg_type: str = ""


_HEADER = msgspec.json.Decoder(Header)


@dataclass
class Execution:
    """What came of one cell."""

    outputs: list[dict[str, Any]] = field(default_factory=list)  # nbformat outputs
    ended: str = "ok"  # ok, error, timed_out or died
    why: str = ""  # of a death: memory, processes, descriptors, scratch, exited, killed
    seconds: float = 0.0  # as the clock counts them
    last: Statement | None = None  # where it was when it ended; None: no statement had begun
    shared_limit: bool = False  # it met a full disk, or a limit of the user's processes, as the kernel says


class StudentKernel:
    """A confined kernel, driven over the Jupyter protocol by one thread.

    Args:
        servers: where it is forked.
        limits: what it may use.
        from_scratch: every dotted name that `serve` may be given: what is behind it is looked up before any cell runs.
        cpu_seconds: after so many the system ends it, whatever becomes of this process.

    Attributes:
        wire: the examiner's end of the socket to the agent in the kernel.

    Raises:
        ServerLost: also from each method that looks whether the kernel lives: what watched it does not.
    """

    def __init__(
        self, servers: Servers, limits: Limits, from_scratch: tuple[str, ...] = (), cpu_seconds: int = 3600
    ):
        self._limits = limits
        self._things = ExitStack()  # that have to be closed
        try:
            self._start(servers, cpu_seconds, from_scratch)
        except BaseException as error:
            self.close()
            if isinstance(error, FileNotFoundError | ConnectionError):  # a socket, or where it was
                raise ServerLost(f"A kernel was lost while it was starting ({error}).") from error
            raise

    def _start(self, servers: Servers, cpu_seconds: int, from_scratch: tuple[str, ...]) -> None:
        folder = tempfile.mkdtemp(prefix="k", dir=servers.folder)
        self._things.callback(shutil.rmtree, folder, ignore_errors=True)
        self.wire, agent = socket.socketpair()
        self._things.callback(self.wire.close)
        connection: dict[str, Any] = {"transport": "ipc", "ip": f"{folder}/k", "key": secrets.token_hex(16)}
        connection |= {f"{name}_port": number for number, name in enumerate(CHANNELS, start=1)}
        self._progress = Progress()
        self._things.callback(self._progress.close)
        listeners: list[socket.socket] = []
        try:
            listeners = listen(connection)
            self.lease = servers.lease(
                "student",
                {
                    "connection": connection,
                    "memory_mb": self._limits.memory_mb,
                    "scratch_mb": self._limits.scratch_mb,
                    "cpu_seconds": cpu_seconds,
                    "folder": "",
                },
                [*(item.fileno() for item in listeners), self._progress.fileno(), agent.fileno()],
                from_scratch,
            )
        finally:
            for item in (*listeners, agent):
                item.close()
        self._things.callback(self.lease.close)
        self._slowness = servers.calibration.slowness
        self._requests = Requests(connection["key"])
        self._shell = self._connect("DEALER", connection, "shell")
        self._iopub = self._connect("SUB", connection, "iopub")
        self._poller = select.poll()
        self._polled = {thing.fileno(): thing for thing in (self._shell, self._iopub, self.lease)}
        for descriptor in self._polled:
            self._poller.register(descriptor, select.POLLIN)
        self._wait_until_ready()

    def execute(
        self, source: str, seconds: float, room: OutputBudget, remember: Collection[str] = ()
    ) -> Execution:
        """Run one cell.

        Args:
            source: the cell.
            seconds: as `Clock` counts them; after them the kernel is not usable any more.
            room: how much output may still be kept.
            remember: names that probes may use from now on, as the cell has left them.
        """
        content = {"code": source, "silent": False, "store_history": True, "user_expressions": {}}
        clock = self.clock(seconds)
        self._ask(
            "execute_request",
            content | {"allow_stdin": False, "stop_on_error": False},
            {"remember": list(remember), "output": room.left},
        )
        return self._finish(clock, room)

    def define(
        self, source: str, seconds: float, before: int, without: Collection[int], remember: Collection[str]
    ) -> Execution:
        """Run a cell in part, see `student.definitions.define`. Nothing of its output is kept."""
        content = {"code": source, "before": before, "without": list(without), "remember": list(remember)}
        clock = self.clock(seconds)
        self._ask("define_request", content)
        return self._finish(clock, OutputBudget(0))

    def _finish(self, clock: Clock, room: OutputBudget, silent: bool = False) -> Execution:
        """Collect what the request that was sent last gives.

        Args:
            clock: one that began before the request was sent: threads that are older than it are not on it.
            silent: it shows nothing, so that there is only its reply to wait for.
        """
        done = Execution()
        try:
            self._collect(done, clock, room, silent)
        finally:
            done.seconds, done.last = clock.spent(), self._progress.read()
        return done

    def _collect(self, done: Execution, clock: Clock, room: OutputBudget, idle: bool) -> None:
        replied = False
        strays = 0
        while not (replied and idle):
            if self._iopub.silent:  # it had too much to say: its reply alone tells when the cell has ended
                idle = True
                if not self._iopub.gone:
                    room.close(done.outputs)
                if replied:
                    return
            if strays > MAX_STRAYS or self._shell.silent:  # its reply will never come
                return self._died(done, room, self._why(clock) if self._shell.gone else "killed")
            if (left := clock.left()) <= 0:
                done.ended = "timed_out"
                return None
            ready = self._wait(left)
            for channel in (self._iopub, self._shell):
                if channel not in ready:
                    continue
                parent, kind, content = self._receive(channel)
                strays += channel is self._shell and bool(kind)
                if parent != self._request:
                    continue
                if channel is self._shell:
                    replied, reply = True, parse(content)
                    done.shared_limit = reply.get("shared_limit") is True
                    if reply.get("status") != "ok":
                        done.ended = "error"
                elif kind != "status":
                    room.put_message(done.outputs, kind, content)
                elif len(content) <= MAX_HEADER:
                    idle = parse(content).get("execution_state") == "idle"
            if self.lease in ready and (ended := self.lease.poll()):
                return self._died(done, room, ended[0])
        return None

    def _why(self, clock: "Clock") -> str:
        """Why a kernel that is gone has ended, as its guardian tells. One that only hung up lives on."""
        cleaning = Meanwhile(CLEAN_SECONDS)
        while not self.lease.poll(min(cleaning.left(), clock.left())):
            if cleaning.left() <= 0 or clock.left() <= 0:
                return self.lease.over or "killed"
        return self.lease.ended[0] if self.lease.ended else "killed"

    def _died(self, done: Execution, room: OutputBudget, why: str) -> None:
        """The kernel is lost: what it had said before still counts, whichever news came first."""
        while self.lease.ended and self._iopub.poll():
            parent, kind, content = self._receive(self._iopub)
            if parent == self._request and kind != "status":
                room.put_message(done.outputs, kind, content)
        done.ended, done.why = "died", why

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
        clock = self.clock(LEAVE_SECONDS)
        try:
            frames.send(self.wire, msgpack.packb(["bye"]))
        except OSError:
            self.died(1)
            return "died"
        # It ends at once, unless the student's code got in between.
        ended = self._finish(clock, OutputBudget(0), silent=True).ended
        return "ok" if ended == "error" else ended

    def astray(self) -> str:
        """ "died" or "left" when the kernel has stopped serving without being told to, else ""."""
        ready = self._wait(0)
        if (self.lease.ended or self.lease in ready) and self.died(0):
            return "died"
        return "left" if self._shell in ready else ""

    def clock(self, seconds: float, beside: tuple[Any, float] | None = None) -> Clock:
        """A time limit that starts now, see `Clock`."""
        return Clock(self.lease, seconds, self._slowness, beside)

    def memory_mb(self) -> float:
        """MiB of address space that have been used at most, of those that its limit leaves it."""
        try:
            limit, _ = resource.prlimit(self.lease.pid, resource.RLIMIT_AS)
            with open(f"/proc/{self.lease.pid}/status", "rb") as file:
                peak = int(file.read().partition(b"VmPeak:")[2].split(None, 1)[0]) << 10
        except (OSError, ValueError, IndexError):  # it has ended
            return 0.0
        return max(0.0, self._limits.memory_mb - (limit - peak) / 2**20)

    def died(self, seconds: float) -> bool:
        """Whether the process has ended, or ends within `seconds`."""
        return self.lease.poll(seconds) is not None

    def end(self) -> None:
        """Have the kernel killed, without waiting for it. It still has to be closed."""
        self.lease.end()

    def close(self) -> None:
        """Kill the kernel with everything it started."""
        self._things.close()

    def _ask(
        self, kind: str, content: dict[str, Any] | None = None, metadata: dict[str, Any] | None = None
    ) -> None:
        self._progress.reset()
        self._request, parts = self._requests.make(kind, content, metadata)
        self._shell.send(parts)

    def _connect(self, kind: str, connection: dict[str, Any], name: str) -> Channel:
        channel = Channel(f"{connection['ip']}-{connection[f'{name}_port']}", kind)
        self._things.callback(channel.close)
        return channel

    def _wait(self, seconds: float) -> set[Any]:
        """Which of both channels and the lease have something, within `seconds`."""
        ready: set[Any] = {channel for channel in (self._shell, self._iopub) if channel.whole()}
        for descriptor, _ in self._poller.poll(0 if ready else 1000 * max(0.0, seconds)):
            ready.add(self._polled[descriptor])
        return ready

    def _wait_until_ready(self) -> None:
        """Until both channels work: a subscription takes effect some time after it is made."""
        starting = Meanwhile(MEANWHILE_SECONDS)
        while starting.left() > 0:
            self._ask("kernel_info_request")
            replied = heard = False
            asked = Meanwhile(1)
            while (left := asked.left()) > 0:
                ready = self._wait(left)
                if self.lease in ready and self.lease.poll():
                    raise ServerLost(NOT_STARTED)
                for channel in (self._shell, self._iopub):
                    if channel in ready and self._receive(channel)[0] == self._request:
                        replied |= channel is self._shell
                        heard |= channel is self._iopub
                if replied and heard:
                    return
        raise ServerLost(f"A kernel did not start within {MEANWHILE_SECONDS} s.")

    def _receive(self, channel: Channel) -> tuple[str, str, bytes]:
        """One message: the request that it belongs to, its type, its content unparsed; "" for all that is none.

        The content is empty when there is more of it than the channel keeps.
        Signatures are not looked at: the student's process holds the key and can sign what it likes.
        """
        try:
            parts = channel.receive() or []
            start = parts.index(DELIMITER) + 2  # the signature is between
            header, parent, _, content = parts[start : start + 4]
            if len(header) <= MAX_HEADER >= len(parent):
                return _HEADER.decode(parent).msg_id, _HEADER.decode(header).msg_type, content
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
