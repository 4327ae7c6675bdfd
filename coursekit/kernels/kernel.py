"""The student kernel: an ordinary IPython kernel that starts inside an already forked, already confined process."""

import contextlib
import importlib
import os
import signal
import subprocess
from typing import Any

import zmq
from ipykernel.control import ControlThread
from ipykernel.heartbeat import Heartbeat
from ipykernel.iostream import IOPubThread
from ipykernel.ipkernel import IPythonKernel
from ipykernel.kernelapp import IPKernelApp
from ipykernel.shellchannel import ShellChannelThread
from ipykernel.zmqshell import ZMQInteractiveShell

from coursekit.kernels import CHANNELS


class Shell(ZMQInteractiveShell):
    """The kernel's shell; `!` lines run through a pipe, because a confined process has no terminals."""

    def system_piped(self, cmd: str) -> None:
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


class Kernel(IPythonKernel):
    """IPython's kernel with the shell above."""

    shell_class = Shell


class ListeningHeartbeat(Heartbeat):
    """A heartbeat on a socket that already listens."""

    def __init__(self, context: zmq.Context, address: tuple[str, str, int], descriptor: int):
        self._descriptor = descriptor
        super().__init__(context, address)

    def _bind_socket(self) -> None:
        self.socket.setsockopt(zmq.USE_FD, self._descriptor)
        self._try_bind_socket()


class KernelApp(IPKernelApp):
    """IPython's kernel application on sockets that already listen, since a confined process can make none."""

    kernel_class = Kernel
    listeners: dict[int, int] = {}  # port number -> file descriptor

    def _bind_socket(self, s: zmq.Socket, port: int) -> int:
        s.setsockopt(zmq.USE_FD, self.listeners[port])
        return self._try_bind_socket(s, port)

    def init_control(self, context: zmq.Context) -> None:
        self.control_socket = context.socket(zmq.ROUTER)
        self.control_socket.linger = 1000
        self.control_socket.router_handover = 1
        self.control_port = self._bind_socket(self.control_socket, self.control_port)
        self.control_thread = ControlThread(daemon=True)
        self.shell_channel_thread = ShellChannelThread(context, daemon=True)
        # A debugger would have to connect to a socket; it gets one that leads nowhere.
        self.debugpy_socket = context.socket(zmq.STREAM)
        self.debugpy_socket.linger = 0

    def init_iopub(self, context: zmq.Context) -> None:
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

    def init_connection_file(self) -> None:
        """There is none: the connection was handed over."""

    def write_connection_file(self, **_: Any) -> None:
        """The other side has it already."""

    def init_poller(self) -> None:
        """The guardian watches over the parent."""

    def init_crash_handler(self) -> None:
        """A crash is the guardian's business."""


def run(connection: dict[str, Any], descriptors: dict[str, int], from_scratch: list[str]) -> None:
    """Start the kernel and stay in it. Called in the fork, after lock-in.

    Args:
        connection: Jupyter's connection information (transport, ip, five ports, key).
        descriptors: listening socket of each channel.
        from_scratch: dotted names that student code has to do without.
    """
    import torch

    torch.set_num_threads(1)  # the grader fills the cores with submissions
    for dotted in from_scratch:
        forbid(dotted)
    app = KernelApp.instance()
    app.transport, app.ip = connection["transport"], connection["ip"]
    app.session.key = connection["key"].encode()
    app.listeners = {connection[f"{name}_port"]: descriptors[name] for name in CHANNELS}
    for name in CHANNELS:
        setattr(app, f"{name}_port", connection[f"{name}_port"])
    app.quiet = True
    app.config.HistoryManager.enabled = False  # else each kernel opens a database
    app.initialize([])
    app.shell.run_line_magic("matplotlib", "inline")
    signal.signal(signal.SIGINT, signal.default_int_handler)
    app.start()
    os._exit(0)


def forbid(dotted: str) -> None:
    """Make a ready-made function raise, where a question says "from scratch".

    Unknown names are left alone: a library that lacks the function cannot lend it.
    """
    module_name, _, name = dotted.rpartition(".")

    def refuse(*_: Any, **__: Any) -> Any:
        raise RuntimeError(f"{dotted} is not available while this notebook is graded: build it yourself")

    refuse.__name__ = refuse.__qualname__ = name
    with contextlib.suppress(ImportError, AttributeError):
        module = importlib.import_module(module_name)
        getattr(module, name)
        setattr(module, name, refuse)
