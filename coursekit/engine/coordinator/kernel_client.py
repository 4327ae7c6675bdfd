"""The coordinator's end of a student kernel: start it, have it execute cells and serve the examiner."""

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
from coursekit.engine.coordinator.clock import Clock, WallLimit
from coursekit.engine.coordinator.forked_process import ServerLost
from coursekit.engine.coordinator.messages import DELIMITER, RequestBuilder
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.coordinator.working_folder import EMPTY_FOLDER, WorkingFolder
from coursekit.engine.shared import frames
from coursekit.engine.shared.channels import CHANNELS
from coursekit.engine.shared.limits import INTERNAL_WAIT_SECONDS, Limits
from coursekit.engine.shared.outputs import OutputBudget, parse
from coursekit.engine.shared.progress import Progress, Statement

NOT_STARTED = "A kernel ended while it was starting. Run `course doctor`."
MAX_HEADER = 10_000  # bytes of a message's header, or of a status's content; an ordinary header has 300
MAX_SHELL_MESSAGES = 100  # well-formed messages on the shell channel in one request; one is its reply
LEAVE_SECONDS = 2  # for an agent to stop serving; it stops immediately, unless student code prevents it
CLEAN_UP_SECONDS = 20  # for a guardian to remove the files of a kernel and report its end


class Header(msgspec.Struct):
    """The fields that are read from a message's header, and from its parent header."""

    msg_id: str = ""
    msg_type: str = ""


_HEADER = msgspec.json.Decoder(Header)


@dataclass
class Execution:
    """What came of executing one cell."""

    outputs: list[dict[str, Any]] = field(default_factory=list)  # nbformat outputs
    ended: str = "ok"  # ok, error, timed_out or died
    why: str = ""  # of a death: memory, processes, descriptors, scratch, exited, killed
    seconds: float = 0.0  # CPU seconds, as on a machine of normal speed
    last: Statement | None = None  # the last statement that had begun
    shared_limit: bool = False  # the kernel reports a limit that submissions share, such as a full disk


class StudentKernel:
    """A confined kernel, driven over the Jupyter protocol by one thread.

    Args:
        servers: that fork it.
        limits: of the kernel.
        from_scratch: all dotted names that may be passed to `serve`: the functions are looked up before any cell runs.
        cpu_seconds: after which Linux ends it, whatever happens to this process.
        folder: in which it works.

    Attributes:
        wire: the examiner's end of the socket to the agent in the kernel.
        process: the kernel's.

    Raises:
        ServerLost: the kernel did not start. Each method that checks whether it lives raises this if its guardian died.
        NoTemporarySpace: its guardian found no space for its scratch folder.
    """

    def __init__(
        self,
        servers: Servers,
        limits: Limits,
        from_scratch: tuple[str, ...] = (),
        cpu_seconds: int = 3600,
        folder: WorkingFolder = EMPTY_FOLDER,
    ):
        self._limits = limits
        self._resources = ExitStack()
        try:
            self._start(servers, cpu_seconds, from_scratch, folder)
        except BaseException as error:
            self.close()
            if isinstance(error, FileNotFoundError | ConnectionError):  # a socket or its folder is gone
                raise ServerLost(f"A kernel was lost while it was starting ({error}).") from error
            raise

    def _start(
        self, servers: Servers, cpu_seconds: int, from_scratch: tuple[str, ...], working: WorkingFolder
    ) -> None:
        folder = tempfile.mkdtemp(prefix="k", dir=servers.folder)
        self._resources.callback(shutil.rmtree, folder, ignore_errors=True)
        self.wire, agent = socket.socketpair()
        self._resources.callback(self.wire.close)
        connection: dict[str, Any] = {"transport": "ipc", "ip": f"{folder}/k", "key": secrets.token_hex(16)}
        connection |= {f"{name}_port": number for number, name in enumerate(CHANNELS, start=1)}
        self._progress = Progress()
        self._resources.callback(self._progress.close)
        copies, copied = working.copies()
        listeners: list[socket.socket] = []
        try:
            listeners = listen(connection)
            self.process = servers.fork(
                "student",
                {
                    "connection": connection,
                    "memory_mb": self._limits.memory_mb,
                    "scratch_mb": self._limits.scratch_mb + working.size_mb(servers.unsafe),
                    "links": working.links,
                    "copies": copies,
                    "cpu_seconds": cpu_seconds,
                },
                [*(item.fileno() for item in listeners), self._progress.fileno(), agent.fileno(), *copied],
                preload=from_scratch,
            )
        finally:
            for item in (*listeners, agent):
                item.close()
        self._resources.callback(self.process.close)
        self._slowness = servers.calibration.slowness
        self._requests = RequestBuilder(connection["key"])
        self._shell = self._connect("DEALER", connection, "shell")
        self._iopub = self._connect("SUB", connection, "iopub")
        self._poller = select.poll()
        self._polled = {thing.fileno(): thing for thing in (self._shell, self._iopub, self.process)}
        for descriptor in self._polled:
            self._poller.register(descriptor, select.POLLIN)
        self._wait_until_ready()

    def execute(
        self,
        source: str,
        seconds: float,
        budget: OutputBudget,
        probe_names: Collection[str] = (),
        is_students: bool = False,
    ) -> Execution:
        """Run one cell, and return its execution.

        Args:
            source: the cell.
            seconds: its limit, as on a machine of normal speed; after that, the kernel cannot be used any more.
            budget: of the submission's output.
            probe_names: names whose values at the end of the cell are kept for probes.
            is_students: whether the student wrote the cell, which an import that fails then does not end.
        """
        content = {"code": source, "silent": False, "store_history": True, "user_expressions": {}}
        clock = self.clock(seconds)
        self._ask(
            "execute_request",
            content | {"allow_stdin": False, "stop_on_error": False},
            {"probe_names": list(probe_names), "output": budget.left, "is_students": is_students},
        )
        return self._finish(clock, budget)

    def define(
        self, source: str, seconds: float, before: int, skip: Collection[int], probe_names: Collection[str]
    ) -> Execution:
        """Run a cell's first `before` statements and all definitions below, but none with a number in `skip`."""
        content = {"code": source, "before": before, "skip": list(skip), "probe_names": list(probe_names)}
        clock = self.clock(seconds)
        self._ask("define_request", content)
        return self._finish(clock, OutputBudget(0))  # keeps no output

    def _finish(self, clock: Clock, budget: OutputBudget, silent: bool = False) -> Execution:
        """Return the execution of the last request.

        Args:
            clock: started before the request was sent: it counts the main thread, and others that begin after it.
            silent: the request has no output, so there is only its reply to wait for.
        """
        execution = Execution()
        try:
            self._collect(execution, clock, budget, silent)
        finally:
            execution.seconds, execution.last = clock.spent(), self._progress.read()
        return execution

    def _collect(self, execution: Execution, clock: Clock, budget: OutputBudget, silent: bool) -> None:
        replied, idle = False, silent
        shell_messages = 0
        while not (replied and idle):
            if self._iopub.stopped:  # nothing more is read: only the reply shows when the cell has ended
                idle = True
                if not self._iopub.disconnected:
                    budget.close(execution.outputs)
                if replied:
                    return
            if shell_messages > MAX_SHELL_MESSAGES or self._shell.stopped:  # the reply will never arrive
                return self._record_end(
                    execution, budget, self._why(clock) if self._shell.disconnected else "killed"
                )
            if (remaining := clock.left()) <= 0:
                execution.ended = "timed_out"
                return None
            ready = self._wait(remaining)
            for channel in (self._iopub, self._shell):
                if channel not in ready:
                    continue
                parent, kind, content = self._receive(channel)
                shell_messages += channel is self._shell and bool(kind)
                if parent != self._request:
                    continue
                if channel is self._shell:
                    replied, reply = True, parse(content)
                    execution.shared_limit = reply.get("shared_limit") is True
                    if reply.get("status") != "ok":
                        execution.ended = "error"
                elif kind != "status":
                    budget.put_message(execution.outputs, kind, content)
                elif len(content) <= MAX_HEADER:
                    idle = parse(content).get("execution_state") == "idle"
            if self.process in ready and (ended := self.process.poll()):
                return self._record_end(execution, budget, ended[0])
        return None

    def _why(self, clock: Clock) -> str:
        """Return why a disconnected kernel has ended, as its guardian reports; "killed" if nothing is reported."""
        limit = WallLimit(CLEAN_UP_SECONDS)
        while not (ended := self.process.poll(min(limit.left(), clock.left()))):
            if limit.left() <= 0 or clock.left() <= 0:
                return self.process.ending or "killed"  # `ending`: while its guardian still cleans up
        return ended[0]

    def _record_end(self, execution: Execution, budget: OutputBudget, why: str) -> None:
        """Record the end of a lost kernel and, if its process has ended, read the rest of its output."""
        while self.process.ended and self._iopub.poll():
            parent, kind, content = self._receive(self._iopub)
            if parent == self._request and kind != "status":
                budget.put_message(execution.outputs, kind, content)
        execution.ended, execution.why = "died", why

    def serve(self, from_scratch: tuple[str, ...] = ()) -> None:
        """Have the agent in the kernel answer the examiner, until `leave`.

        Args:
            from_scratch: dotted names of functions that are blocked until then.
        """
        self._ask("serve_request", {"from_scratch": list(from_scratch)})

    def leave(self) -> str:
        """Have the agent stop, so that cells can run again. Return "ok", or "died", "left" or "timed_out" if lost."""
        if ended := self.stopped_serving():
            return ended
        clock = self.clock(LEAVE_SECONDS)
        try:
            frames.send(self.wire, msgpack.packb(["bye"]))
        except OSError:
            self.died(seconds=1)  # reads its guardian's report; raises ServerLost if that died
            return "died"
        ended = self._finish(clock, OutputBudget(0), silent=True).ended
        return "ok" if ended == "error" else ended  # a reply with an error is a reply, too

    def stopped_serving(self) -> str:
        """Return "died" or "left" if the kernel has stopped serving by itself, else ""."""
        ready = self._wait(0)
        if (self.process.ended or self.process in ready) and self.died(seconds=0):
            return "died"
        return "left" if self._shell in ready else ""

    def clock(self, seconds: float, partner: tuple[Any, float] | None = None) -> Clock:
        """Return a time limit that starts now; `partner`: the examiner's process, and its limit in CPU seconds."""
        return Clock(self.process, seconds, self._slowness, partner)

    def memory_mb(self) -> float:
        """Return by how many MiB its address space, at its peak, had grown since it was confined; 0 after its end."""
        try:
            limit, _ = resource.prlimit(self.process.pid, resource.RLIMIT_AS)
            with open(f"/proc/{self.process.pid}/status", "rb") as file:
                peak = int(file.read().partition(b"VmPeak:")[2].split(None, 1)[0]) << 10
        except (OSError, ValueError, IndexError):  # it has ended
            return 0.0
        return max(0.0, self._limits.memory_mb - (limit - peak) / 2**20)

    def died(self, seconds: float) -> bool:
        """Return whether the process has ended, or ends within `seconds`."""
        return self.process.poll(seconds) is not None

    def end(self) -> None:
        """Have the kernel killed, without waiting for it. It still has to be closed."""
        self.process.end()

    def close(self) -> None:
        """Kill the kernel with all its descendants."""
        self._resources.close()

    def _ask(
        self, kind: str, content: dict[str, Any] | None = None, metadata: dict[str, Any] | None = None
    ) -> None:
        self._progress.reset()
        self._request, parts = self._requests.build(kind, content, metadata)
        self._shell.send(parts)

    def _connect(self, kind: str, connection: dict[str, Any], name: str) -> Channel:
        channel = Channel(f"{connection['ip']}-{connection[f'{name}_port']}", kind)
        self._resources.callback(channel.close)
        return channel

    def _wait(self, seconds: float) -> set[Any]:
        """Wait at most `seconds`. Return which of the two channels and the process have something to read."""
        ready: set[Any] = {channel for channel in (self._shell, self._iopub) if channel.has_frame()}
        for descriptor, _ in self._poller.poll(0 if ready else 1000 * max(0.0, seconds)):
            ready.add(self._polled[descriptor])
        return ready

    def _wait_until_ready(self) -> None:
        """Wait until both channels work: a subscription takes effect some time after it is sent."""
        starting = WallLimit(INTERNAL_WAIT_SECONDS)
        while starting.left() > 0:
            self._ask("kernel_info_request")
            replied = published = False
            answering = WallLimit(1)
            while (remaining := answering.left()) > 0:
                ready = self._wait(remaining)
                if self.process in ready and self.process.poll():
                    raise ServerLost(NOT_STARTED)
                for channel in (self._shell, self._iopub):
                    if channel in ready and self._receive(channel)[0] == self._request:
                        replied |= channel is self._shell
                        published |= channel is self._iopub
                if replied and published:
                    return
        raise ServerLost(f"A kernel did not start within {INTERNAL_WAIT_SECONDS} s.")

    def _receive(self, channel: Channel) -> tuple[str, str, bytes]:
        """Return a message's request id, its type and its unparsed content; all empty if malformed or incomplete.

        The content is empty if it is larger than the channel keeps. Signatures are not checked: the student's process
        has the key and can sign anything.
        """
        try:
            parts = channel.receive() or []
            start = parts.index(DELIMITER) + 2  # after the signature
            header, parent, _, content = parts[start : start + 4]
            if len(header) <= MAX_HEADER >= len(parent):
                return _HEADER.decode(parent).msg_id, _HEADER.decode(header).msg_type, content
        except Exception:  # the student's process can send anything
            pass
        return "", "", b""


def listen(connection: dict[str, Any]) -> list[socket.socket]:
    """Return a listening socket for each of Jupyter's five channels, in the order of CHANNELS."""
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
