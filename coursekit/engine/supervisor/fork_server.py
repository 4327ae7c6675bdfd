"""The fork servers: processes that have imported the modules that a course uses, and do nothing but fork.

Run as `python -m coursekit.engine.supervisor.fork_server [MODULE...]`. It makes a folder and prints its path, forks the
server of readers while it is small, imports these modules, forks the server of examiners, becomes the server of student
kernels, and prints "ready". Each has a socket in the folder: `student.sock`, `examiner.sock` and `reader.sock`. Since a
fork inherits its parent's memory, none ever holds a hidden test, an answer or a submission; the server of readers holds
the released notebook. The server of student kernels, which is the first process, ends with its standard input, the
others end with it, and each removes the folder when it ends.
"""

import ctypes
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
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgpack

from coursekit.engine.shared import frames, library
from coursekit.engine.shared.channels import CHANNELS
from coursekit.engine.supervisor import sandbox
from coursekit.engine.supervisor.guardian import guard
from coursekit.engine.supervisor.scratch import copy, link

if TYPE_CHECKING:
    from coursekit.engine.shared.master import Master

# Modules on the stack when a cell or an examiner's setup runs: a traceback reads their source.
CALLERS = (
    *("runpy", "asyncio.base_events", "asyncio.events", "tornado.platform.asyncio"),
    *("ipykernel.kernelapp", "ipykernel.kernelbase", "ipykernel.ipkernel", "ipykernel.zmqshell"),
    *("IPython.core.interactiveshell", "IPython.core.async_helpers"),
    *("coursekit.engine.supervisor.guardian", "coursekit.engine.kernel.kernel"),
    "coursekit.engine.examiner.examine",
)
MADV_COLLAPSE = 25  # since Linux 6.1


def warm_up(modules: list[str]) -> None:
    """Import modules that notebooks use, and do once what nearly every fork would do first. Leave no thread running."""
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"
    if "torch" in modules:
        from coursekit.engine.supervisor.torch_library import Torch

        library.use(Torch())
    for name in modules:
        importlib.import_module(name)

    # Kernels have no debugger, which would need a socket: `ipykernel.debugger` looks for one when it is imported.
    sys.modules["debugpy"] = None  # type: ignore[assignment]
    import ipykernel.debugger  # noqa: F401

    del sys.modules["debugpy"]
    # Modules that a starting kernel would import.
    for name in (
        *("tornado.platform.asyncio", "tornado.queues", "IPython.extensions.storemagic"),
        *("IPython.core.completerlib", "IPython.core.oinspect"),
        *("IPython.core.logger", "IPython.utils.wildcard"),
        *("IPython.core.magics.execution", "IPython.core.magics.pylab", "IPython.core.magics.ast_mod"),
        *("encodings.idna", "encodings.latin_1", "encodings.ascii", "faulthandler"),
        *("stack_data", "pygments.lexers.python", "pygments.formatters.terminal256"),  # for tracebacks
    ):
        importlib.import_module(name)

    library.current.warm_up()
    # For its first thread a process maps 72 MiB: a stack, and an arena of `malloc`. They are mapped here, so that
    # they do not count against the memory limit of a fork.
    thread = threading.Thread(target=bytearray, args=(1,))
    thread.start()
    thread.join()
    for name in CALLERS:
        linecache.getlines(importlib.import_module(name).__file__ or "")


def main(modules: list[str]) -> None:
    """Run the servers of readers, of examiners and of student kernels; the latter two import these modules."""
    folder = Path(tempfile.mkdtemp(prefix="course-servers-", dir=_short_folder()))
    try:
        os.environ["HOME"] = str(folder)
        os.chdir(folder)
        print(folder, flush=True)
        serve_readers(folder)  # before this process is large
        gc.disable()  # it would traverse all imported objects again and again
        warm_up(modules)
        os.environ.pop("XDG_CACHE_HOME", None)  # forks keep nothing there
        serve(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _short_folder() -> str:
    """Return where to make the sockets' folder: a socket's path has at most 107 bytes, and TMPDIR may be longer."""
    folder = tempfile.gettempdir()
    return folder if len(os.fsencode(folder)) <= 60 else "/tmp"


def serve_readers(folder: Path) -> None:
    """Fork the server of readers, and return in the parent."""
    listener = _listener(folder, "reader")
    if (parent_fd := _fork_server()) is None:
        listener.close()
        return
    try:
        from coursekit.engine.reader import process

        _serve(listener, start_reader, until=parent_fd, preload=process.learn)
    finally:
        shutil.rmtree(folder, ignore_errors=True)  # the server of student kernels may have been killed
        os._exit(1)


def _listener(folder: Path, name: str) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(folder / f"{name}.sock"))
    listener.listen(128)
    return listener


def _fork_server() -> int | None:
    """Fork a server. Return None in the parent; in the child a descriptor that is readable after the parent's end."""
    parent_fd = os.pidfd_open(os.getpid())
    if os.fork():
        os.close(parent_fd)
        return None
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal's Ctrl-C is for the coordinator
    devnull = os.open(os.devnull, os.O_RDONLY)
    os.dup2(devnull, 0)
    return parent_fd


def serve(folder: Path) -> None:
    """Serve student kernels here and examiners in a fork, until standard input ends."""
    listeners = {name: _listener(folder, name) for name in ("student", "examiner")}
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal's Ctrl-C is for the coordinator
    if (parent_fd := _fork_server()) is not None:
        try:
            listeners["student"].close()
            library.current.warm_up_late()
            _freeze()
            _serve(listeners["examiner"], start_examiner, until=parent_fd)
        finally:
            shutil.rmtree(folder, ignore_errors=True)  # the server of student kernels may have been killed
            os._exit(1)
    listeners["examiner"].close()
    from coursekit.engine.kernel.kernel import KernelApp

    KernelApp.instance().prepare()
    print("ready", flush=True)
    library.current.warm_up_late()
    library.current.prepare_kernels()  # again after `prepare`, for the modules that have just been imported
    _freeze()
    _serve(listeners["student"], start_kernel, until=0, preload=_find_equivalents)


def _freeze() -> None:
    """Use large pages, and enable the garbage collector for new objects only: forks share the pages of the others."""
    gc.freeze()
    gc.enable()
    _use_large_pages()


def _use_large_pages() -> None:
    """Put this process's own memory into pages of 2 MiB, of which a fork copies 512 times fewer table entries."""
    madvise = ctypes.CDLL(None).madvise
    madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    with open("/proc/self/maps") as file:
        mappings = [line.split() for line in file]
    for addresses, mode, _, _, inode, *name in mappings:
        if mode == "rw-p" and inode == "0" and name in ([], ["[heap]"]):  # no file's, and no stack
            start, end = (int(address, 16) for address in addresses.split("-"))
            madvise(start, end - start, MADV_COLLAPSE)  # where Linux refuses, the pages stay as they are


def _serve(
    listener: socket.socket,
    start: Callable[..., None],
    until: int,
    preload: Callable[[Any], Any] = lambda shared: None,
) -> None:
    """Fork a guardian for each connection, until the descriptor `until` is readable.

    Args:
        start: called in the fork, with the connection and the value that `preload` returned.
        preload: called in the server, with a client's first message; all later forks inherit its effects.
    """
    import select

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # guardians report to their clients
    assert threading.active_count() == 1, "a fork server must not have threads"
    poller = select.poll()
    poller.register(listener, select.POLLIN)
    poller.register(until, select.POLLIN)
    while True:
        ready = {descriptor for descriptor, _ in poller.poll()}
        if until in ready:
            return
        connection, _ = listener.accept()
        try:
            preloaded = preload(msgpack.unpackb(frames.receive(connection)))
        except (
            EOFError,
            OSError,
            ValueError,
            frames.WireError,
        ):  # the client has ended, or is no coordinator
            connection.close()
            continue
        try:
            child = os.fork()
        except OSError:  # too many processes, another submission's fork bomb perhaps: the client asks again
            child = -1
        if child == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            listener.close()
            try:
                start(connection, preloaded)
            except BaseException:
                import traceback

                traceback.print_exc()
            finally:
                os._exit(1)
        connection.close()


def _find_equivalents(from_scratch: list[str]) -> list[str]:
    """Find the blocked equivalents of what is imported here once, not in each fork. Return all the names."""
    from coursekit.engine.kernel.from_scratch import find_equivalents

    find_equivalents(name for name in from_scratch if name.rpartition(".")[0] in sys.modules)
    gc.freeze()
    return from_scratch


def start_kernel(connection: socket.socket, from_scratch: list[str]) -> None:
    """Read one request for a student kernel and become its guardian."""
    from coursekit.engine.kernel import agent, kernel
    from coursekit.engine.shared import file_names, progress

    def body(scratch: Path, request: dict[str, Any], descriptors: list[int]) -> None:
        channels = dict(zip(CHANNELS, descriptors, strict=False))
        kept = descriptors[: len(CHANNELS) + 2]
        reporter = None
        if len(kept) > len(CHANNELS):  # the coordinator's kernel; a Jupyter client sends the channels only
            memory, examiner = kept[len(CHANNELS) :]
            reporter = progress.Reporter(memory)
            agent.attach(socket.socket(fileno=examiner))
            own = descriptors[len(kept) :]
            copy(scratch, [(name, own[number], *piece) for name, number, *piece in request["copies"]])
        _confine(scratch, request, kept)
        if request["folder"]:
            os.chdir(request["folder"])
        kernel.run(request["connection"], channels, from_scratch, reporter)

    _become_guardian(connection, body, max_descriptors=len(CHANNELS) + 2 + file_names.MAX_FILES + 1)


def start_examiner(connection: socket.socket, _: None) -> None:
    """Read one request for an examiner and become its guardian."""
    from coursekit.engine.examiner import examine

    def body(scratch: Path, request: dict[str, Any], descriptors: list[int]) -> None:
        control = socket.socket(fileno=descriptors[0])
        # The examiner is trusted code, but it reads bytes that a student's process has sent.
        _confine(scratch, request, descriptors)
        sys.path.append("")  # the week's own modules; last, as in a student kernel
        examine.main(control)

    _become_guardian(connection, body, max_descriptors=1)


def start_reader(connection: socket.socket, master: "Master") -> None:
    """Read one request for a reader and become its guardian."""
    from coursekit.engine.reader import process
    from coursekit.engine.shared import file_names

    def body(scratch: Path, request: dict[str, Any], descriptors: list[int]) -> None:
        control = socket.socket(fileno=descriptors[0])
        _confine(scratch, request, descriptors)
        if request["unsafe"]:  # a reader runs no student code, so its limits hold even without the sandbox
            sandbox.limits.limit(
                request["memory_mb"], request["cpu_seconds"], file_mb=1, processes=512, descriptors=256
            )
        process.main(control, request, descriptors[1:], master)
        os._exit(0)

    _become_guardian(connection, body, max_descriptors=1 + file_names.MAX_FILES)


def _become_guardian(
    connection: socket.socket, body: Callable[[Path, dict[str, Any], list[int]], None], max_descriptors: int
) -> None:
    """Read one request, and become the guardian of a fork that runs `body(scratch folder, request, descriptors)`."""
    data, descriptors = frames.receive_with_fds(connection, max_descriptors)
    request = msgpack.unpackb(data)
    guard(
        connection,
        lambda scratch: body(scratch, request, descriptors),
        request["memory_mb"],
        request["scratch_mb"],
    )


def _confine(scratch: Path, request: dict[str, Any], keep: list[int]) -> None:
    links = request["links"]
    link(scratch, links, copy=request["unsafe"])
    if request["unsafe"]:
        devnull = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(devnull, descriptor)
        return
    readable = [
        path for path in (request["folder"], sys.pycache_prefix, *(path for _, path in links)) if path
    ]
    sandbox.lock_in(
        scratch,
        memory_mb=request["memory_mb"],
        cpu_seconds=request["cpu_seconds"],
        file_mb=request["scratch_mb"],
        processes=request["processes"],
        keep_fds=keep,
        read=map(Path, readable),
    )


if __name__ == "__main__":
    main(sys.argv[1:])
