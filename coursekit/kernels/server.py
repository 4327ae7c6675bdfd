"""The warm fork servers: processes that have imported everything and do nothing but fork.

Run as `python -m coursekit.kernels.server [MODULE...]`: makes a folder and prints its path; forks the server of
readers while it is small; imports, these modules too, renders one figure, then becomes two more servers; and prints
"ready". Each has a socket in that folder: `student.sock` forks student kernels, `examiner.sock` examiners,
`reader.sock` readers. None ever holds a hidden test, an answer or a submission: a fork inherits its parent's memory.
The third holds what was released. The first ends with its standard input, the others with the first, and each that ends
removes the folder.
"""

import gc
import importlib
import linecache
import os
import shutil
import signal
import socket
import sys
import tempfile
import threading
from pathlib import Path

import msgpack

from coursekit import frames
from coursekit.kernels import CHANNELS, large_pages
from coursekit.kernels.guardian import guard

# Who is on the stack when a cell runs, or an examiner's setup.
CALLERS = (
    *("runpy", "asyncio.base_events", "asyncio.events", "tornado.platform.asyncio"),
    *("ipykernel.kernelapp", "ipykernel.kernelbase", "ipykernel.ipkernel", "ipykernel.zmqshell"),
    *("IPython.core.interactiveshell", "IPython.core.async_helpers"),
    *("coursekit.kernels.guardian", "coursekit.kernels.kernel", "coursekit.examiner.examine"),
)


def warm_up() -> None:
    """Import what notebooks use, and pay the first figure's cost once for all forks. Starts no thread."""
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"
    import torch

    torch.set_num_threads(1)  # an OpenMP pool would not survive the fork
    import matplotlib.pyplot as plt
    import matplotlib_inline.backend_inline  # noqa: F401
    import seaborn  # noqa: F401
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    import coursekit.examiner.examine
    import coursekit.kernels.kernel
    import coursekit.sandbox
    import coursekit.student.agent
    import coursekit.student.definitions  # noqa: F401

    # What a starting kernel would import by itself, 150 modules of a debugger first of all.
    for name in (
        *(
            "ipykernel.debugger",
            "tornado.platform.asyncio",
            "tornado.queues",
            "IPython.extensions.storemagic",
        ),
        *(
            "IPython.core.completerlib",
            "IPython.core.oinspect",
            "IPython.core.logger",
            "IPython.utils.wildcard",
        ),
        *("IPython.core.magics.execution", "IPython.core.magics.pylab", "IPython.core.magics.ast_mod"),
        *("encodings.idna", "encodings.latin_1", "encodings.ascii", "faulthandler"),
    ):
        importlib.import_module(name)

    figure = Figure(figsize=(2, 2))
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    axes.set_title(r"warm-up 0.5 $\sqrt{d_k}$")
    axes.plot([0, 1], label="x")
    axes.legend()
    figure.savefig(os.devnull, format="png")
    plt.close("all")
    torch.softmax(torch.randn(4, 4) @ torch.randn(4, 4), -1).sum()
    torch.broadcast_shapes((2, 1), (1, 3))  # imports sympy when it is first called
    # Keeps the source lines of whoever called it, for each kind of device that may be used later.
    torch.manual_seed(torch.initial_seed())
    for name in CALLERS:
        linecache.getlines(importlib.import_module(name).__file__)


def main(late: list[str]) -> None:
    folder = Path(tempfile.mkdtemp(prefix="course-servers-"))
    try:
        os.environ["HOME"] = str(folder)
        os.chdir(folder)
        # Both raise where whoever started us is gone already.
        print(folder, flush=True)
        serve_readers(folder)  # before this process is large
        warm_up()
        for name in late:
            importlib.import_module(name)
        serve(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def serve_readers(folder: Path) -> None:
    """Fork the server of readers, and go on without waiting for it."""
    listener = _listener(folder, "reader")
    if (first := _fork_server()) is None:
        listener.close()
        return
    try:
        from coursekit import sandbox  # noqa: F401
        from coursekit.reader import process

        _serve(listener, start_reader, until=first, receive=process.receive)
    finally:
        shutil.rmtree(folder, ignore_errors=True)  # the first server may have been killed
        os._exit(1)


def _listener(folder: Path, name: str) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(folder / f"{name}.sock"))
    listener.listen(128)
    return listener


def _fork_server() -> int | None:
    """Fork a server. Gives None here; and there a descriptor that has something as soon as this process is gone."""
    first = os.pidfd_open(os.getpid())
    if os.fork():
        os.close(first)
        return None
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal's Ctrl-C is for the coordinator
    devnull = os.open(os.devnull, os.O_RDONLY)
    os.dup2(devnull, 0)
    return first


def serve(folder: Path) -> None:
    """Fork for whoever asks, until standard input ends."""
    listeners = {name: _listener(folder, name) for name in ("student", "examiner")}
    gc.collect()
    gc.freeze()  # else the collector writes to every shared page
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal's Ctrl-C is for the coordinator
    if (first := _fork_server()) is not None:
        try:
            listeners["student"].close()
            large_pages.collapse()
            _serve(listeners["examiner"], start_examiner, until=first)
        finally:
            shutil.rmtree(folder, ignore_errors=True)  # the first server may have been killed
            os._exit(1)
    listeners["examiner"].close()
    from coursekit.kernels.kernel import KernelApp

    KernelApp.instance().prepare()
    gc.collect()
    gc.freeze()
    large_pages.collapse()
    print("ready", flush=True)
    _serve(listeners["student"], start_kernel, until=0)


def _serve(listener: socket.socket, start, until: int, receive=None) -> None:
    """Fork a guardian for each connection, until the descriptor `until` has something: whom we serve is gone.

    Args:
        receive: reads a connection's request before the fork, for servers that remember something of it.
    """
    import select

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # guardians report to their askers, not to us
    assert threading.active_count() == 1, "a fork server must not have threads"
    poller = select.poll()
    poller.register(listener, select.POLLIN)
    poller.register(until, select.POLLIN)
    while True:
        ready = {descriptor for descriptor, _ in poller.poll()}
        if until in ready:
            return
        if listener.fileno() not in ready:
            continue
        connection, _ = listener.accept()
        request = ()
        if receive is not None:
            try:
                request = receive(connection)
            except (
                EOFError,
                OSError,
                ValueError,
                frames.WireError,
            ):  # whoever asked is gone, or is no coordinator
                connection.close()
                continue
        try:
            child = os.fork()
        except (
            OSError
        ):  # no room for a process now (a fork bomb next door): whoever asked hears that, and asks again
            child = -1
        if child == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            listener.close()
            try:
                start(connection, *request)
            except BaseException:
                import traceback

                traceback.print_exc()
            finally:
                os._exit(1)
        connection.close()
        for descriptor in request[1] if request else ():
            os.close(descriptor)


def start_kernel(connection: socket.socket) -> None:
    """Read one request for a student kernel and become its guardian."""
    from coursekit.kernels import kernel
    from coursekit.student import agent

    data, descriptors = frames.receive_with_fds(connection, len(CHANNELS) + 1)
    request = msgpack.unpackb(data)
    channels = dict(zip(CHANNELS, descriptors, strict=False))

    def body(scratch: Path) -> None:
        if len(descriptors) > len(CHANNELS):
            agent.attach(socket.socket(fileno=descriptors[-1]))
        _confine(scratch, request, descriptors)
        if request["folder"]:
            os.chdir(request["folder"])
        kernel.run(request["connection"], channels, request["from_scratch"])

    guard(connection, body, request["memory_mb"])


def start_examiner(connection: socket.socket) -> None:
    """Read one request for an examiner and become its guardian."""
    from coursekit.examiner import examine

    data, descriptors = frames.receive_with_fds(connection, 1)
    request = msgpack.unpackb(data)

    def body(scratch: Path) -> None:
        control = socket.socket(fileno=descriptors[0])
        # The examiner is ours, but it reads bytes that a student's process sent.
        _confine(scratch, request, descriptors)
        examine.main(control)

    guard(connection, body, request["memory_mb"])


def start_reader(connection: socket.socket, request: dict, descriptors: list[int], master) -> None:
    """Become the guardian of a reader."""
    from coursekit.reader import process
    from coursekit.sandbox import limits

    def body(scratch: Path) -> None:
        control = socket.socket(fileno=descriptors[0])
        _confine(scratch, request, descriptors)
        if request["unsafe"]:  # its bounds hold all the same: nothing of a student's is run here, only read
            limits.limit(request["memory_mb"], request["cpu_seconds"], 1, 512, 256)
        process.main(control, request, descriptors[1:], master)
        os._exit(0)

    guard(connection, body, request["memory_mb"])


def _confine(scratch: Path, request: dict, keep: list[int]) -> None:
    from coursekit import sandbox

    if request["unsafe"]:
        devnull = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(devnull, number)
        return
    sandbox.lock_in(
        scratch,
        memory_mb=request["memory_mb"],
        cpu_seconds=request["cpu_seconds"],
        keep_fds=keep,
        read=[Path(request["folder"])] if request["folder"] else [],
    )


if __name__ == "__main__":
    main(sys.argv[1:])
