"""The warm fork servers: processes that have imported what a course uses and do nothing but fork.

Run as `python -m coursekit.engine.supervisor.fork_server [MODULE...]`: makes a folder and prints its path; forks the
server of readers while it is small; imports these modules, then becomes two more servers; and prints "ready". Each has
a socket in that folder: `student.sock` forks student kernels, `examiner.sock` examiners, `reader.sock` readers. None
ever holds a hidden test, an answer or a submission: a fork inherits its parent's memory. The third holds what was
released. The first ends with its standard input, the others with the first, and each that ends removes the folder.
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
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgpack

from coursekit.engine.shared import frames, library
from coursekit.engine.shared.channels import CHANNELS
from coursekit.engine.supervisor import large_pages
from coursekit.engine.supervisor.guardian import guard

if TYPE_CHECKING:
    from coursekit.engine.shared.master import Master

# Who is on the stack when a cell runs, or an examiner's setup.
CALLERS = (
    *("runpy", "asyncio.base_events", "asyncio.events", "tornado.platform.asyncio"),
    *("ipykernel.kernelapp", "ipykernel.kernelbase", "ipykernel.ipkernel", "ipykernel.zmqshell"),
    *("IPython.core.interactiveshell", "IPython.core.async_helpers"),
    *(
        "coursekit.engine.supervisor.guardian",
        "coursekit.engine.kernel.kernel",
        "coursekit.engine.examiner.examine",
    ),
)

DONE = object()


def warm_up(modules: list[str]) -> None:
    """Import what notebooks use, and do once for all forks what nearly each would do first. No thread is left."""
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"
    if "torch" in modules:
        from coursekit.engine.supervisor.torch_library import Torch

        library.use(Torch())
    for name in modules:
        importlib.import_module(name)

    # No kernel has a debugger: it would have to connect to a socket. ipykernel looks for one where it imports this.
    sys.modules["debugpy"] = None  # type: ignore[assignment]
    import ipykernel.debugger  # noqa: F401

    del sys.modules["debugpy"]
    # What a starting kernel would import by itself.
    for name in (
        *(
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
        *("stack_data", "pygments.lexers.python", "pygments.formatters.terminal256"),  # for tracebacks
    ):
        importlib.import_module(name)

    library.current.warm_up()
    # For its first thread a process maps 72 MiB: a stack, and an arena of `malloc`. What is mapped here does not count
    # for the limit of a fork, which would leave so much less to the student's code.
    thread = threading.Thread(target=bytearray, args=(1,))
    thread.start()
    thread.join()
    for name in CALLERS:
        linecache.getlines(importlib.import_module(name).__file__ or "")


def _draw() -> None:
    """A figure, in a course that has them: the first one finds the fonts."""
    if "matplotlib" not in sys.modules:
        return
    import matplotlib.pyplot as plt
    import matplotlib_inline.backend_inline  # noqa: F401
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(2, 2))
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    axes.set_title(r"warm-up 0.5 $\sqrt{d_k}$")
    axes.plot([0, 1], label="x")
    axes.legend()
    figure.savefig(os.devnull, format="png")
    plt.close("all")


def main(modules: list[str]) -> None:
    """See above; `modules` are those to import."""
    folder = Path(tempfile.mkdtemp(prefix="course-servers-", dir=_short_folder()))
    try:
        os.environ["HOME"] = str(folder)
        os.chdir(folder)
        # Both raise where whoever started us is gone already.
        print(folder, flush=True)
        serve_readers(folder)  # before this process is large
        gc.disable()  # it would look through all that is imported again and again, and find next to nothing
        warm_up(modules)
        os.environ.pop("XDG_CACHE_HOME", None)  # what is forked keeps nothing there
        serve(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _short_folder() -> str:
    """Where the sockets' folder is made: the path of a socket has 107 bytes at most, so not below a long TMPDIR."""
    folder = tempfile.gettempdir()
    return folder if len(os.fsencode(folder)) <= 60 else "/tmp"


def serve_readers(folder: Path) -> None:
    """Fork the server of readers, and go on without waiting for it."""
    listener = _listener(folder, "reader")
    if (first := _fork_server()) is None:
        listener.close()
        return
    try:
        from coursekit.engine.reader import process
        from coursekit.engine.supervisor import sandbox  # noqa: F401

        _serve(listener, start_reader, until=first, learn=process.learn)
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
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal's Ctrl-C is for the coordinator
    if (first := _fork_server()) is not None:
        try:
            listeners["student"].close()
            _settle()
            _serve(
                listeners["examiner"], start_examiner, until=first, chores=_chores(library.current.practise)
            )
        finally:
            shutil.rmtree(folder, ignore_errors=True)  # the first server may have been killed
            os._exit(1)
    listeners["examiner"].close()
    from coursekit.engine.kernel.kernel import KernelApp

    app = KernelApp.instance()
    app.prepare()
    _settle()
    print("ready", flush=True)
    # Prepared once more at the end, for what has been imported meanwhile.
    practices = (app.practise_an_error, _draw, library.current.practise, library.current.prepare_kernels)
    _serve(listeners["student"], start_kernel, until=0, learn=_learn_names, chores=_chores(*practices))


def _settle() -> None:
    """Let the collector work from now on, but not on what is there already: it would write to every shared page."""
    gc.freeze()
    gc.enable()


def _chores(*practices: Callable[[], None]) -> Iterator[None]:
    """What makes later forks cheaper. The first ones do not wait for it."""
    for practise in practices:
        practise()
        gc.freeze()
        yield
    yield from large_pages.collapse()


def _serve(
    listener: socket.socket,
    start: Callable[..., None],
    until: int,
    learn: Callable[[Any], Any] = lambda lasting: None,
    chores: Iterable[None] = (),
) -> None:
    """Fork a guardian for each connection, until the descriptor `until` has something: whom we serve is gone.

    Args:
        learn: makes of what is told to last, see `lease.Lease`, what `start` is given; in the server, not in a fork.
        chores: work in small steps, for moments in which nobody asks.
    """
    import select

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # guardians report to their askers, not to us
    assert threading.active_count() == 1, "a fork server must not have threads"
    poller = select.poll()
    poller.register(listener, select.POLLIN)
    poller.register(until, select.POLLIN)
    chores = iter(chores)
    patience: int | None = 0  # milliseconds
    while True:
        ready = {descriptor for descriptor, _ in poller.poll(patience)}
        if not ready and next(chores, DONE) is DONE:
            patience = None
        if until in ready:
            return
        if listener.fileno() not in ready:
            continue
        connection, _ = listener.accept()
        try:
            learned = learn(msgpack.unpackb(frames.receive(connection)))
        except (EOFError, OSError, ValueError, frames.WireError):  # who asked is gone, or is no coordinator
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
                start(connection, learned)
            except BaseException:
                import traceback

                traceback.print_exc()
            finally:
                os._exit(1)
        connection.close()


def _learn_names(from_scratch: list[str]) -> list[str]:
    """Look up what is imported: to look at it in a fork would copy each page that has a part of it."""
    from coursekit.engine.kernel.from_scratch import look_up

    look_up(name for name in from_scratch if name.rpartition(".")[0] in sys.modules)
    gc.freeze()
    return from_scratch


def start_kernel(connection: socket.socket, from_scratch: list[str]) -> None:
    """Read one request for a student kernel and become its guardian."""
    from coursekit.engine.kernel import agent, kernel
    from coursekit.engine.shared import progress

    data, descriptors = frames.receive_with_fds(connection, len(CHANNELS) + 2)
    request = msgpack.unpackb(data)
    channels = dict(zip(CHANNELS, descriptors, strict=False))

    def body(scratch: Path) -> None:
        reporter = None
        if len(descriptors) > len(CHANNELS):
            memory, examiner = descriptors[len(CHANNELS) :]
            reporter = progress.Reporter(memory)
            agent.attach(socket.socket(fileno=examiner))
        _confine(scratch, request, descriptors)
        if request["folder"]:
            os.chdir(request["folder"])
        kernel.run(request["connection"], channels, from_scratch, reporter)

    guard(connection, body, request["memory_mb"], request["scratch_mb"])


def start_examiner(connection: socket.socket, _: None) -> None:
    """Read one request for an examiner and become its guardian."""
    from coursekit.engine.examiner import examine

    data, descriptors = frames.receive_with_fds(connection, 1)
    request = msgpack.unpackb(data)

    def body(scratch: Path) -> None:
        control = socket.socket(fileno=descriptors[0])
        # The examiner is ours, but it reads bytes that a student's process sent.
        _confine(scratch, request, descriptors)
        examine.main(control)

    guard(connection, body, request["memory_mb"], request["scratch_mb"])


def start_reader(connection: socket.socket, master: "Master") -> None:
    """Read one request for a reader and become its guardian."""
    from coursekit.engine.reader import process
    from coursekit.engine.shared import file_names
    from coursekit.engine.supervisor.sandbox import limits

    data, descriptors = frames.receive_with_fds(connection, 1 + file_names.MAX_FILES)
    request = msgpack.unpackb(data)

    def body(scratch: Path) -> None:
        control = socket.socket(fileno=descriptors[0])
        _confine(scratch, request, descriptors)
        if request["unsafe"]:  # its bounds hold all the same: nothing of a student's is run here, only read
            limits.limit(request["memory_mb"], request["cpu_seconds"], 1, 512, 256)
        process.main(control, request, descriptors[1:], master)
        os._exit(0)

    guard(connection, body, request["memory_mb"], request["scratch_mb"])


def _confine(scratch: Path, request: dict[str, Any], keep: list[int]) -> None:
    from coursekit.engine.supervisor import sandbox

    if request["unsafe"]:
        devnull = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(devnull, number)
        return
    wanted = [folder for folder in (request["folder"], sys.pycache_prefix) if folder]
    sandbox.lock_in(
        scratch,
        memory_mb=request["memory_mb"],
        cpu_seconds=request["cpu_seconds"],
        file_mb=request["scratch_mb"],
        processes=request["processes"],
        keep_fds=keep,
        read=map(Path, wanted),
    )


if __name__ == "__main__":
    main(sys.argv[1:])
