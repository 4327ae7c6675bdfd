"""The student kernel: an ordinary IPython kernel that starts in a forked and confined process."""

import ast
import builtins
import codecs
import math
import os
import select
import signal
import subprocess
import sys
import threading
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

from coursekit.engine.kernel import agent, colab, definitions, from_scratch, imports, magics, timing
from coursekit.engine.kernel.plain_python import is_plain_python
from coursekit.engine.shared import library
from coursekit.engine.shared.channels import CHANNELS
from coursekit.engine.shared.progress import Reporter

PIPE_BYTES = 1 << 16  # capacity of a pipe on Linux
MAX_PRINTED = 32 << 20  # characters that a cell may print to one stream, whether they are kept or not
MESSAGE_CHARACTERS = 1 << 18  # of up to 6 bytes each: fewer bytes than the coordinator keeps of a message


class Shell(ZMQInteractiveShell):
    """The kernel's shell, for a notebook that runs unattended."""

    reporter: Reporter | None = None  # None: a Jupyter client's kernel
    is_students = False  # whether the student wrote the cell that is run
    _transformed: tuple[Any, str] = (None, "")

    def __init__(self, **settings: Any):
        super().__init__(**settings)
        self._transforms_at_start = self._transforms()

    async def run_code(self, code_obj: CodeType, result: Any = None, *, async_: bool = False) -> bool:
        """Report and run one statement of a cell, and return whether it failed. IPython calls this."""
        if self.reporter is not None:
            lines = (line for _, _, line in code_obj.co_lines() if line)
            self.reporter.begin_statement(next(lines, 0))
        failed: bool = await super().run_code(code_obj, result, async_=async_)
        return failed

    def transform_ast(self, node: ast.Module) -> ast.Module:
        """Return the cell as it is run: an import that fails ends no cell of a student's."""
        node = super().transform_ast(node)
        if self.reporter is None:  # a Jupyter client's kernel
            return node
        return imports.tolerate_failed_imports(node) if self.is_students else imports.split_imports(node)

    def run_line_magic(self, magic_name: str, line: str, _stack_depth: int = 1) -> Any:
        """Run a line magic; one that the grader lacks is skipped. Jupyter clients get its error."""
        if self.reporter is None:
            return super().run_line_magic(magic_name, line, _stack_depth + 1)
        if self.find_line_magic(magic_name) is None:
            magics.report_missing(magic_name)
            return None
        __tracebackhide__ = True  # IPython leaves this frame out of the student's traceback
        with magics.tolerate_failure(magic_name):
            return super().run_line_magic(magic_name, line, _stack_depth + 1)
        return None

    def magic(self, arg_s: str) -> Any:
        """Run a line magic, as Colab's older IPython does it with this method."""
        name, _, line = arg_s.partition(" ")
        return self.run_line_magic(name.lstrip("%"), line, 2)

    def ask_exit(self) -> None:
        """Do nothing on `quit()` and `exit()`: Jupyter started a new kernel for the student, and later cells ran."""

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
        """Return the transformed cell, and keep it: it is asked for twice, to see whether it awaits, and to run it."""
        key = (self.execution_count, raw_cell)
        if self._transformed[0] != key:
            if self._transforms() == self._transforms_at_start and is_plain_python(raw_cell):
                transformed = raw_cell if raw_cell.endswith("\n") else raw_cell + "\n"
            else:
                transformed = super().transform_cell(raw_cell)
            self._transformed = (key, transformed)
        return self._transformed[1]

    def _transforms(self) -> list[Any]:
        """Return the functions that transform a cell. A notebook can add its own."""
        manager = self.input_transformer_manager
        return [*manager.cleanup_transforms, *manager.line_transforms, *manager.token_transformers]

    def should_run_async(self, raw_cell: str, **settings: Any) -> bool:
        """Return whether a cell awaits something. IPython compiles each cell to find out; most lack the keywords."""
        source = settings.get("transformed_cell") or raw_cell
        return ("await" in source or "async" in source) and super().should_run_async(raw_cell, **settings)


class Kernel(IPythonKernel):
    """IPython's kernel with the shell above, and two more requests: to answer the examiner, and to define names."""

    shell: Any  # never None here
    session: Any
    shell_class = Shell
    streams: tuple["Stream", ...] = ()  # its stdout and stderr
    # IPython's compiler names a cell by its number; ipykernel's hashes the cell, which takes as long as running it.
    compiler_class = Type(CachingCompiler)  # type: ignore[assignment]  # declared as a class of ipykernel's
    _execute_sleep = 0.0  # no wait for late output: `Stream` has sent all of it

    def __init__(self, **settings: Any):
        super().__init__(**settings)
        self.shell_handlers["serve_request"] = self.serve_request
        self.shell_handlers["define_request"] = self.define_request

    def _publish_status(self, status: str, channel: str, parent: Any = None) -> None:
        """Publish the end of a request; its start only for Jupyter clients, since the coordinator ignores it."""
        if status == "idle" or self.shell.reporter is None:
            super()._publish_status(status, channel, parent)

    def _publish_execute_input(self, code: str, parent: dict[str, Any], execution_count: int) -> None:
        """Publish a cell's text for Jupyter clients only; the coordinator has sent it itself."""
        if self.shell.reporter is None:
            super()._publish_execute_input(code, parent, execution_count)

    async def do_execute(self, code: str, silent: bool, *arguments: Any, **settings: Any) -> dict[str, Any]:
        """Run a cell, cancel its timers, keep a setup cell's values for probes, report a limit of the whole machine."""
        metadata = settings.get("cell_meta") or {}
        if "output" in metadata:
            characters, flushes = metadata["output"]
            self._limit_output(characters, flushes, MAX_PRINTED)
        if self.shell.reporter is not None:
            self.shell.reporter.begin_cell()
        self.shell.is_students = metadata.get("is_students", False)
        reply: dict[str, Any] = await super().do_execute(code, silent, *arguments, **settings)
        execution = self.shell.last_execution_result
        # Before the threads of timers end, and give back what they have used.
        if execution is not None and agent.hit_shared_limit(execution.error_in_exec):
            reply["shared_limit"] = True
        agent.cancel_timers()
        agent.add_probe_names(metadata.get("probe_names", ()))
        return reply

    async def do_shutdown(self, restart: bool) -> dict[str, Any]:
        """Do nothing, as on `quit()`."""
        return {"status": "ok", "restart": restart}

    async def define_request(self, stream: Any, ident: list[bytes], parent: dict[str, Any]) -> None:
        """Run the statements of a cell that define names, without a cell number, history or traceback."""
        content: dict[str, Any] = parent["content"]
        self._limit_output(0, 0, MAX_PRINTED)
        reply: dict[str, Any] = {"status": "error"}
        try:
            with self.shell.builtin_trap, self.shell.display_trap:
                definitions.define(
                    self.shell, content["code"], content["before"], content["skip"], self.shell.reporter
                )
            reply = {"status": "ok"}
        except BaseException as error:  # whatever the student's code raises
            if agent.hit_shared_limit(error):
                reply["shared_limit"] = True
        finally:
            agent.cancel_timers()
            agent.add_probe_names(content["probe_names"])
            self.session.send(stream, "define_reply", reply, parent, ident=ident)

    async def serve_request(self, stream: Any, ident: list[bytes], parent: dict[str, Any]) -> None:
        """Answer the examiner's requests until the coordinator sends "bye", with the listed functions blocked.

        Student code sees the same names as in a cell, but there is nothing to compile, no history and no input to
        publish. None of its output is kept.
        """
        self._limit_output(0, 0)
        try:
            with self.shell.builtin_trap, self.shell.display_trap:
                agent.serve(parent["content"].get("from_scratch", ()))
            # Flushes the figures that tests have left open, so that they do not appear below the next cell.
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

    Output of programs and libraries to the file descriptor arrives through a pipe. The pipe is read before anything
    else is written or sent, so that the order of the output is right and nothing of it comes after the cell's end,
    whatever the threads do. A stream is flushed several times around each cell: if nothing was written, flushing
    returns at once.

    Output beyond the output budget is dropped here. Otherwise the time that a cell takes would depend on how fast the
    coordinator reads, and unread output would fill the kernel's memory. A cell that prints very much is ended by an
    error, after the same number of characters on every machine.
    """

    def __init__(self, *arguments: Any, **settings: Any):
        self._written = False  # since the last flush began
        self._reading = threading.RLock()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.limit(math.inf, math.inf, math.inf)
        super().__init__(*arguments, **settings)

    def limit(self, characters: float, flushes: float, printed: float) -> None:
        """Drop output beyond these limits from now on. A little more is sent, to show that the budget was exceeded.

        Args:
            characters, flushes: how many are sent.
            printed: characters after which `write` raises RuntimeError.
        """
        self._characters_left, self._flushes_left, self._print_left = characters, flushes, printed

    def write(self, string: str) -> int | None:  # type: ignore[override]  # as OutStream's own
        self._read_pipe()
        written = self._write(string)
        if self._print_left < 0:
            raise RuntimeError(f"This cell has printed more than {MAX_PRINTED >> 20} million characters.")
        return written

    def _write(self, string: str) -> int | None:
        if isinstance(string, str):
            self._print_left -= len(string)
            if self._characters_left < 0 or self._flushes_left < 0:
                return len(string)
            self._characters_left -= len(string)
        self._written = True
        return super().write(string)

    def flush(self) -> None:
        self._read_pipe()
        if self._written:
            self._written = False
            self._flushes_left -= 1
            super().flush()

    def _flush_buffers(self) -> Iterator[tuple[dict[str, Any], str]]:
        for parent, text in super()._flush_buffers():
            for start in range(0, len(text), MESSAGE_CHARACTERS):
                yield parent, text[start : start + MESSAGE_CHARACTERS]

    def _watch_pipe_fd(self) -> None:
        """Read the pipe, in a thread of its own, while the main thread neither writes nor flushes."""
        while self._should_watch and self._fid is not None:
            select.select([self._fid], [], [])
            self._read_pipe()

    def _read_pipe(self) -> None:
        """Write the pipe's content to the stream, but not in a process that student code has forked."""
        if self._fid is None or not self._is_master_process():
            return
        with self._reading:
            if self._should_watch and select.select([self._fid], [], [], 0)[0]:
                # No more than a pipe holds: code that floods the pipe must not keep this thread busy.
                data = os.read(self._fid, PIPE_BYTES)
                self._should_watch = bool(data)  # student code can close the other end
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

    The fork server calls `prepare` once: settings, the kernel, its shell and magics. Each fork calls `connect` once it
    is confined and cannot create sockets any more: channels, threads, and settings that differ between forks.
    """

    shell: Any  # from `prepare` on
    kernel_class = Kernel
    outstream_class = f"{__name__}.{Stream.__name__}"
    listeners: dict[int, int] = {}  # port number -> file descriptor

    def prepare(self) -> None:
        """Do everything that needs neither a socket nor a thread."""
        self.quiet = True
        self.config.HistoryManager.enabled = False  # otherwise each kernel opens a database
        BaseIPythonApplication.initialize(self, [])
        self.log.setLevel("WARNING")  # otherwise each message creates log records that no handler takes
        self.init_pdb()
        # Without channels, which `connect` adds.
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
        self.shell.register_magics(timing.TimeitOnce)
        colab.install_empty_modules()
        setattr(builtins, imports.CONTEXT_NAME, imports.TolerateFailedImport())
        library.current.prepare_kernels()  # the library that the course teaches, such as torch

    def connect(self, connection: dict[str, Any], descriptors: dict[str, int]) -> None:
        """Open the channels.

        Args:
            connection: Jupyter's connection information (transport, ip, five ports, key).
            descriptors: {channel: file descriptor of its listening socket}.
        """
        self.transport, self.ip = connection["transport"], connection["ip"]
        self.session.key = connection["key"].encode()
        self.session.pid = os.getpid()  # a session sends nothing from another process
        self.listeners = {connection[f"{name}_port"]: descriptors[name] for name in CHANNELS}
        for name in CHANNELS:
            setattr(self, f"{name}_port", connection[f"{name}_port"])
        # IPython's folder: IPYTHONDIR, or in the working directory, which is the fork's scratch folder.
        folder = os.path.abspath(os.environ.get("IPYTHONDIR", ".ipython"))
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
        # A flood of output waits in this process's memory, which is limited. By default zmq drops messages when more
        # than a thousand wait, and with them the one that reports the end of the cell.
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
        """Install no crash handler: the guardian sees how the kernel ends."""


def run(
    connection: dict[str, Any], descriptors: dict[str, int], ready_made: list[str], reporter: Reporter | None
) -> None:
    """Run the prepared kernel. Does not return. Called in the confined fork.

    Args:
        connection: Jupyter's connection information (transport, ip, five ports, key).
        descriptors: {channel: file descriptor of its listening socket}.
        ready_made: dotted names of all functions that some question blocks.
        reporter: records how far a cell has come.
    """
    library.current.start_kernel()
    # Modules beside the notebook, or that it writes; last, so that none replaces a library.
    sys.path.append("")
    agent.expect_own_modules()
    from_scratch.find_equivalents(ready_made)
    app = KernelApp.instance()
    app.shell.reporter = reporter
    app.connect(connection, descriptors)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    app.start()
    os._exit(0)
