"""The student kernel: an ordinary IPython kernel that starts inside an already forked, already confined process."""

import ast
import codecs
import math
import os
import select
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from types import CodeType
from typing import Any

import zmq
from ipykernel.control import ControlThread
from ipykernel.heartbeat import Heartbeat
from ipykernel.iostream import IOPubThread, OutStream
from ipykernel.ipkernel import IPythonKernel
from ipykernel.kernelapp import IPKernelApp
from ipykernel.shellchannel import ShellChannelThread
from ipykernel.zmqshell import ZMQInteractiveShell
from IPython.core.application import BaseIPythonApplication
from IPython.core.compilerop import CachingCompiler
from IPython.core.profiledir import ProfileDir
from traitlets import Type
from zmq.eventloop.zmqstream import ZMQStream

from coursekit.engine.kernel import agent, colab, definitions, from_scratch, timing
from coursekit.engine.kernel.plain_python import as_python
from coursekit.engine.shared import library
from coursekit.engine.shared.channels import CHANNELS
from coursekit.engine.shared.progress import Reporter

PIPE = 1 << 16  # bytes that a pipe holds on Linux
MAX_PRINTED = 32 << 20  # characters that a cell may print to one stream, whether they are kept or not
PIECE = 1 << 18  # characters in one message, of up to 6 bytes each; the grader keeps some MiB, see `channel`


class Compiler(CachingCompiler):
    """IPython's own, which does not read a cell a second time. Cells are named by their number, as in IPython.

    ipykernel's names each cell by a hash that takes as long as running the cell.
    """

    _kept: tuple[str, int, ast.AST] | None = None

    def read(self, source: str) -> Any:
        """The syntax tree of a cell that will be run next, kept until then."""
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            tree = super().ast_parse(source)
        # What is said of a cell is said when it is run, with its name.
        self._kept = None if told else (source, self.flags, tree)
        return tree

    def ast_parse(self, source: str, filename: str = "<unknown>", symbol: str = "exec") -> ast.AST:
        kept, self._kept = self._kept, None  # once: whoever runs a tree may change it
        if kept is not None and (*kept[:2], "exec") == (source, self.flags, symbol):
            return kept[2]
        return super().ast_parse(source, filename, symbol)


class Shell(ZMQInteractiveShell):
    """The kernel's shell, for a notebook that runs to its end with nobody beside it."""

    reporter: Reporter | None = None  # told of each statement that begins; None: a Jupyter client's kernel
    _transformed: tuple[Any, str] = (None, "")
    _plain = False  # whether that was Python already

    def __init__(self, **settings: Any):
        super().__init__(**settings)
        self._transformers_at_start = self._transformers()

    async def run_code(self, code_obj: CodeType, result: Any = None, *, async_: bool = False) -> bool:
        """Called by IPython for each statement of a cell."""
        if self.reporter is not None:
            lines = (line for _, _, line in code_obj.co_lines() if line)
            self.reporter.statement(next(lines, 0))
        failed: bool = await super().run_code(code_obj, result, async_=async_)
        return failed

    def ask_exit(self) -> None:
        """`quit()` and `exit()` end nothing: whoever wrote one had started again when the next cell ran."""

    def system_piped(self, cmd: str) -> None:
        """Run a `!` line through a pipe, because a confined process has no terminals."""
        done = subprocess.run(
            self.var_expand(cmd, depth=1),
            shell=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        print(done.stdout, end="")
        self.user_ns["_exit_code"] = done.returncode

    system = system_piped

    def transform_cell(self, raw_cell: str) -> str:
        """Once for each cell: the kernel asks for it to see whether the cell awaits something, and again to run it."""
        asked = (self.execution_count, raw_cell)
        if self._transformed[0] != asked:
            changed = self._transformers() != self._transformers_at_start
            plain = None if changed else as_python(raw_cell, self.compile.read)
            self._plain = plain is not None
            self._transformed = (asked, super().transform_cell(raw_cell) if plain is None else plain)
        return self._transformed[1]

    def _transformers(self) -> list[list[Any]]:
        """What changes a cell's text, to which its code may have added something."""
        manager = self.input_transformer_manager
        return [
            list(found)
            for found in (manager.cleanup_transforms, manager.line_transforms, manager.token_transformers)
        ]

    def should_run_async(self, raw_cell: str, **asked: Any) -> bool:
        """Plain Python has no `await` at the left margin, so there is nothing to compile in order to see it."""
        plain = self._plain and self._transformed[0] == (self.execution_count, raw_cell)
        return not plain and super().should_run_async(raw_cell, **asked)


class Kernel(IPythonKernel):
    """IPython's kernel with the shell above, and one more request: to answer the examiner."""

    shell: Any  # it has them from its start to its end
    session: Any
    shell_class = Shell
    streams: tuple["Stream", ...] = ()  # its stdout and stderr
    compiler_class = Type(Compiler)  # type: ignore[assignment]  # of ipykernel's own kind in its declaration
    _execute_sleep = 0.0  # no wait for output that is on its way: `Stream` leaves none behind

    def __init__(self, **settings: Any):
        super().__init__(**settings)
        self.shell_handlers["serve_request"] = self.serve_request
        self.shell_handlers["define_request"] = self.define_request

    def _publish_status(self, status: str, channel: str, parent: Any = None) -> None:
        """Say that a request is done; that it has begun is said to Jupyter clients, not to the coordinator."""
        if status == "idle" or self.shell.reporter is None:
            super()._publish_status(status, channel, parent)

    def _publish_execute_input(self, code: str, parent: dict[str, Any], execution_count: int) -> None:
        """Show a cell's text to Jupyter clients, who may be several; the coordinator has sent it itself."""
        if self.shell.reporter is None:
            super()._publish_execute_input(code, parent, execution_count)

    async def do_execute(self, code: str, silent: bool, *arguments: Any, **settings: Any) -> dict[str, Any]:
        """Run a cell; and what comes behind it, which is no part of the cell."""
        wanted = settings.get("cell_meta") or {}
        if "output" in wanted:
            characters, flushes = wanted["output"]
            self._limit_output(characters, flushes, MAX_PRINTED)
        if self.shell.reporter is not None:
            self.shell.reporter.begin()
        reply: dict[str, Any] = await super().do_execute(code, silent, *arguments, **settings)
        agent.end_timers()
        agent.remember(wanted.get("remember", ()))
        done = self.shell.last_execution_result
        if done is not None and agent.met_shared_limit(done.error_in_exec):
            reply["shared_limit"] = True
        return reply

    async def do_shutdown(self, restart: bool) -> dict[str, Any]:
        """End nothing, as `quit()` does: whoever restarted the kernel had a new one when the next cell ran."""
        return {"status": "ok", "restart": restart}

    async def define_request(self, stream: Any, ident: list[bytes], parent: dict[str, Any]) -> None:
        """Run a cell in part, see `definitions.define`. It is no cell: it has no number, history or traceback."""
        wanted: dict[str, Any] = parent["content"]
        self._limit_output(0, 0, MAX_PRINTED)
        reply: dict[str, Any] = {"status": "error"}
        try:
            with self.shell.builtin_trap, self.shell.display_trap:
                definitions.define(
                    self.shell, wanted["code"], wanted["before"], wanted["without"], self.shell.reporter
                )
            reply = {"status": "ok"}
        except BaseException as error:  # whatever the student's code raises
            if agent.met_shared_limit(error):
                reply["shared_limit"] = True
        finally:
            agent.end_timers()
            agent.remember(wanted["remember"])
            self.session.send(stream, "define_reply", reply, parent, ident=ident)

    async def serve_request(self, stream: Any, ident: list[bytes], parent: dict[str, Any]) -> None:
        """Answer the examiner's questions until the engine says goodbye, without what the request refuses.

        Its functions see what a cell's code sees. It is no cell all the same: nothing to compile, no history, no
        input to publish. Nothing that it prints is kept.
        """
        self._limit_output(0, 0)
        try:
            with self.shell.builtin_trap, self.shell.display_trap:
                agent.serve(parent["content"].get("from_scratch", ()))
            # Shows the figures that tests have left open, so that they do not turn up below the next cell.
            self.shell.events.trigger("post_execute")
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            self.session.send(stream, "serve_reply", {"status": "ok"}, parent, ident=ident)

    def _limit_output(self, characters: int, flushes: int, printed: float = math.inf) -> None:
        for stream in self.streams:
            stream.limit(characters, flushes, printed)


class Stream(OutStream):
    """The kernel's stdout or stderr.

    What programs and libraries write to the descriptor itself comes through a pipe. Here it is taken over before
    anything else is written or sent, so that it is in its place among the prints and none of it comes after the
    cell's end, whatever the threads do. And a stream is flushed several times around each cell: with nothing written
    there is nothing to wait for.

    What a cell writes beyond what is kept of it is dropped here. On its way it would cost the cell's time, or not, as
    fast as it happens to be read, and what is not read any more would fill the kernel's memory. And whoever prints very
    much is told so by an error, after the same number of characters on each machine.
    """

    def __init__(self, *arguments: Any, **settings: Any):
        self._written = False  # since the last flush began
        self._taking = threading.RLock()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.limit(math.inf, math.inf, math.inf)
        super().__init__(*arguments, **settings)

    def limit(self, characters: float, flushes: float, printed: float) -> None:
        """Drop what goes beyond this, from now on. A little more is sent, by which one sees that it was too much.

        Args:
            printed: characters after which `write` raises RuntimeError.
        """
        self._characters, self._flushes, self._printed = characters, flushes, printed

    def write(self, string: str) -> int | None:  # type: ignore[override]  # as OutStream's own
        self._take()
        written = self._write(string)
        if self._printed < 0:
            raise RuntimeError(f"This cell has printed more than {MAX_PRINTED >> 20} million characters.")
        return written

    def _write(self, string: str) -> int | None:
        if isinstance(string, str):
            self._printed -= len(string)
            if self._characters < 0 or self._flushes < 0:
                return len(string)
            self._characters -= len(string)
        self._written = True
        return super().write(string)

    def flush(self) -> None:
        self._take()
        if self._written:
            self._written = False
            self._flushes -= 1
            super().flush()

    def _flush_buffers(self) -> Iterator[tuple[dict[str, Any], str]]:
        for parent, text in super()._flush_buffers():
            for start in range(0, len(text), PIECE):
                yield parent, text[start : start + PIECE]

    def _watch_pipe_fd(self) -> None:
        """In a thread of its own: take what comes while nobody writes or flushes."""
        while self._should_watch and self._fid is not None:
            select.select([self._fid], [], [])
            self._take()

    def _take(self) -> None:
        """Write what is in the pipe. Not in a process that the student's code has forked: the pipe is ours."""
        if self._fid is None or not self._is_master_process():
            return
        with self._taking:
            if self._should_watch and select.select([self._fid], [], [], 0)[0]:
                # All of it, and no more, lest somebody who floods the pipe holds us here.
                data = os.read(self._fid, PIPE)
                self._should_watch = bool(data)  # the student's code can close the other end
                self._write(self._decoder.decode(data))


class ListeningHeartbeat(Heartbeat):
    """A heartbeat on a socket that already listens."""

    def __init__(self, context: zmq.Context[Any], address: tuple[str, str, int], descriptor: int):
        self._descriptor = descriptor
        super().__init__(context, address)

    def _bind_socket(self) -> None:
        self.socket.setsockopt(zmq.USE_FD, self._descriptor)
        self._try_bind_socket()


class KernelApp(IPKernelApp):
    """IPython's kernel application in two steps, on sockets that already listen.

    The warm server calls `prepare`: settings, the kernel, its shell and magics, once for all forks. A fork, once it
    is confined and can make no socket, calls `connect`: channels and threads, and what differs from fork to fork.
    """

    shell: Any  # from `prepare` on
    kernel_class = Kernel
    outstream_class = f"{__name__}.{Stream.__name__}"
    listeners: dict[int, int] = {}  # port number -> file descriptor

    def prepare(self) -> None:
        """Everything that needs neither a socket nor a thread."""
        self.quiet = True
        self.config.HistoryManager.enabled = False  # else each kernel opens a database
        BaseIPythonApplication.initialize(self, [])
        self.log.setLevel("WARNING")  # else each message makes records that no handler takes
        self.init_pdb()
        # Its channels come later.
        self.kernel = self.kernel_class.instance(
            parent=self,
            session=self.session,
            log=self.log,
            profile_dir=self.profile_dir,
            user_ns=self.user_ns,
        )
        self.init_shell()
        self.init_gui_pylab()
        self.init_extensions()
        self.init_code()
        if "matplotlib" in sys.modules:
            self.shell.run_line_magic("matplotlib", "inline")
        self.shell.register_magics(timing.Once)
        colab.install()
        library.current.prepare_kernels()

    def practise_an_error(self) -> None:
        """Make a traceback that nobody sees. A process's first takes as long as all the rest of a small notebook."""
        try:
            exec(self.shell.compile("raise ValueError", "<practice>", "exec"), {})
        except ValueError:
            self.shell.InteractiveTB.structured_traceback(*sys.exc_info())

    def connect(self, connection: dict[str, Any], descriptors: dict[str, int]) -> None:
        """Open the channels.

        Args:
            connection: Jupyter's connection information (transport, ip, five ports, key).
            descriptors: listening socket of each channel.
        """
        self.transport, self.ip = connection["transport"], connection["ip"]
        self.session.key = connection["key"].encode()
        self.session.pid = os.getpid()  # a session sends nothing from another process than its own
        self.listeners = {connection[f"{name}_port"]: descriptors[name] for name in CHANNELS}
        for name in CHANNELS:
            setattr(self, f"{name}_port", connection[f"{name}_port"])
        # In the scratch folder, with and without the sandbox.
        folder = os.path.abspath(os.environ.get("IPYTHONDIR", "ipython"))
        self.profile_dir = ProfileDir(location=os.path.join(folder, "profile_default"))
        self.shell.ipython_dir, self.shell.profile_dir = folder, self.profile_dir
        self.init_sockets()
        self.init_heartbeat()
        self._ports = {name: connection[f"{name}_port"] for name in CHANNELS}
        self.init_io()
        self.kernel.streams = sys.stdout, sys.stderr
        self.init_path()
        self.init_kernel()

    def init_kernel(self) -> None:
        """Give the kernel its channels."""
        kernel, shell = self.kernel, self.shell
        kernel.shell_stream = ZMQStream(self.shell_socket, self.shell_channel_thread.io_loop)
        kernel.control_stream = ZMQStream(self.control_socket, self.control_thread.io_loop)
        self.shell_channel_thread.shell_stream = kernel.shell_stream
        self.control_thread.start()
        self.shell_channel_thread.start()
        for name in (
            "control_thread",
            "shell_channel_thread",
            "iopub_thread",
            "iopub_socket",
            "stdin_socket",
        ):
            setattr(kernel, name, getattr(self, name))
        kernel.record_ports({f"{name}_port": port for name, port in self._ports.items()})
        shell.displayhook.pub_socket = shell.display_pub.pub_socket = self.iopub_socket
        self.displayhook.get_execution_count = lambda: kernel.execution_count

    def _bind_socket(self, s: zmq.Socket[Any], port: int) -> int:
        s.setsockopt(zmq.USE_FD, self.listeners[port])
        bound: int = self._try_bind_socket(s, port)
        return bound

    def init_control(self, context: zmq.Context[Any]) -> None:
        self.control_socket = context.socket(zmq.ROUTER)
        self.control_socket.linger = 1000
        self.control_socket.router_handover = 1
        self.control_port = self._bind_socket(self.control_socket, self.control_port)
        self.control_thread = ControlThread(daemon=True)
        self.shell_channel_thread = ShellChannelThread(context, daemon=True)

    def init_iopub(self, context: zmq.Context[Any]) -> None:
        self.iopub_socket = context.socket(zmq.XPUB)
        self.iopub_socket.linger = 1000
        # A flood of output waits in this process's memory, which is limited; by default zmq drops what is over a
        # thousand messages, and with them the one that says that the cell has ended.
        self.iopub_socket.sndhwm = 0
        self.iopub_port = self._bind_socket(self.iopub_socket, self.iopub_port)
        self.configure_tornado_logger()
        # No pipe for subprocesses, which is a TCP socket: their output comes through descriptors 1 and 2.
        self.iopub_thread = IOPubThread(self.iopub_socket, pipe=False, session=self.session)
        self.iopub_thread.start()
        self.iopub_socket = self.iopub_thread.background_socket

    def init_heartbeat(self) -> None:
        address = (self.transport, self.ip, self.hb_port)
        self.heartbeat = ListeningHeartbeat(zmq.Context(), address, self.listeners[self.hb_port])
        self.heartbeat.start()

    def init_crash_handler(self) -> None:
        """A crash is the guardian's business."""


def run(
    connection: dict[str, Any],
    descriptors: dict[str, int],
    ready_made: list[str],
    reporter: Reporter | None,
) -> None:
    """Start the prepared kernel and stay in it. Called in the fork, after lock-in.

    Args:
        connection, descriptors: see `KernelApp.connect`.
        ready_made: dotted names that student code has to do without in one question or another.
        reporter: tells the coordinator how far a cell has come.
    """
    library.current.start_kernel()
    sys.path.append("")  # modules that the notebook writes; last, so that none stands in for a library
    from_scratch.look_up(ready_made)
    app = KernelApp.instance()
    app.shell.reporter = reporter
    app.connect(connection, descriptors)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    app.start()
    os._exit(0)
