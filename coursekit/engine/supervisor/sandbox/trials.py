"""Test whether the sandbox keeps its promises on this machine, by trying to break them in forked children."""

import contextlib
import ctypes
import json
import os
import resource
import select
import signal
import socket
import tempfile
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from coursekit.engine.shared.errors import CourseError
from coursekit.engine.supervisor.sandbox import landlock, linux
from coursekit.engine.supervisor.sandbox.confine import lacking, lock_in
from coursekit.engine.supervisor.sandbox.linux import SandboxError
from coursekit.engine.supervisor.sandbox.promises import PROMISES

_MEMORY_MB, _FILE_MB, _PROCESSES, _DESCRIPTORS = 256, 1, 16, 64
_SECONDS = 20  # for one trial: of processor time, and as long as anybody waits for it
_CLONE_NEWUSER = 0x10000000
_PTRACE_ATTACH = 16

# Exceptions that show that an act was stopped.
_STOPPED = (PermissionError, MemoryError)


@contextmanager
def _folders() -> Iterator[tuple[Path, Path]]:
    """Yield two new folders: a scratch folder, and one outside of it with the files `secret` and `open/file`.

    A child makes and removes them, even if this process is killed.
    """
    (name_end, tell), (stay_end, stay) = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(stay)
            with tempfile.TemporaryDirectory(prefix="course-doctor-") as name:
                for folder in ("scratch", "outside"):
                    Path(name, folder).mkdir()
                Path(name, "outside", "secret").write_text("secret")
                Path(name, "outside", "open").mkdir()
                Path(name, "outside", "open", "file").write_text("to be read")
                os.write(tell, os.fsencode(name))
                os.close(tell)
                os.read(stay_end, 1)  # ends when the parent closes its end, or is gone
        finally:
            os._exit(0)
    os.close(tell)
    os.close(stay_end)
    try:
        name = os.fsdecode(os.read(name_end, 4096))
        if not name:
            raise CourseError(f"There is no space for a folder in {tempfile.gettempdir()}. Make room there.")
        yield Path(name, "scratch"), Path(name, "outside")
    finally:
        os.close(name_end)
        with contextlib.suppress(BrokenPipeError):  # the child has ended
            os.write(stay, b"\0")
        os.close(stay)
        os.waitpid(child, 0)


def _try(
    act: Callable[[], object], scratch: Path, read: Iterable[Path] = (), full: bool = True
) -> tuple[str, str]:
    """Call `act` in a forked child that has locked itself in.

    Args:
        act: raises if it is stopped.
        scratch: the child's scratch folder.
        read: further folders that it may read.
        full: False for Landlock without the rest of the sandbox.

    Returns:
        ("stopped" | "open" | "failed", a description)
    """
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:
        answer = ("failed", "")
        try:
            if full:
                lock_in(
                    scratch,
                    _MEMORY_MB,
                    _SECONDS,
                    [send],
                    file_mb=_FILE_MB,
                    processes=_PROCESSES,
                    descriptors=_DESCRIPTORS,
                    read=read,
                )
            else:
                landlock.restrict([], [scratch])
            try:
                act()
                answer = ("open", "it was not stopped")
            except _STOPPED as error:
                answer = ("stopped", f"{type(error).__name__}: {error}")
            except OSError as error:
                answer = ("failed", f"{type(error).__name__}: {error}")
        except SandboxError as error:
            answer = ("failed", str(error))
        except BaseException:
            answer = ("failed", traceback.format_exc(limit=2))
        finally:
            os.write(send, json.dumps(answer).encode())
            os._exit(0)
    os.close(send)
    try:
        # One message, not up to the pipe's end: the child's descendants hold the other end, too.
        ready, _, _ = select.select([receive], [], [], _SECONDS)
        data = os.read(receive, 2**16) if ready else b""
    finally:
        os.close(receive)
        # The child leads its process group once it is locked in; its descendants end with it.
        for end in (os.killpg, os.kill):
            with suppress(OSError):
                end(child, signal.SIGKILL)
        status = os.waitpid(child, 0)[1]
    if not data:
        return "failed", f"the child ended with wait status {status}"
    outcome, detail = json.loads(data)
    return outcome, detail


def missing() -> list[str]:
    """Return what this machine lacks for the sandbox, in sentences that say what to do; [] if it lacks nothing.

    If nothing is visibly missing, a forked child really locks itself in.
    """
    if reasons := lacking(landlock.abi()):
        return reasons

    def work() -> None:
        Path("trial").write_text("works")

    with _folders() as (scratch, _):
        outcome, detail = _try(work, scratch)
    if outcome == "open":
        return []
    return [f"A trial of the sandbox failed. {detail}"]


def describe() -> list[tuple[str, bool | None, str]]:
    """Return lines for `course doctor`: (promise, whether it is kept here, a sentence). Each is tried in a child.

    Some promises are kept twice: those that are `extra` describe a second barrier against the same act. If this kernel
    is too old for it, the line has None instead of False, since the first barrier keeps the promise.
    """
    if reasons := missing():
        return [("Student code can be confined", False, reason) for reason in reasons]
    lines: list[tuple[str, bool | None, str]] = []
    with (
        _folders() as (scratch, outside),
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        abstract.bind(f"\0course-doctor-{os.getpid()}")
        abstract.listen()
        acts = _acts(outside, tcp.getsockname(), abstract.getsockname())
        for promise in PROMISES:
            outcome, detail = _try(acts[promise.key], scratch, [outside / "open"], full=not promise.extra)
            if outcome == "stopped":
                lines.append((promise.what, True, ""))
            else:
                lines.append(
                    (
                        promise.what,
                        None if promise.extra else False,
                        f"{promise.consequence} Tried: {detail}.",
                    )
                )
    return lines


def _acts(outside: Path, tcp: tuple[str, int], abstract: bytes) -> dict[str, Callable[[], object]]:
    """Return {key of a promise: a function that tries to break it}."""
    parent = os.getpid()

    def read() -> None:
        (outside / "secret").read_text()

    def write() -> None:
        (outside / "new").write_text("")

    def truncate() -> None:
        os.open(outside / "open" / "file", os.O_RDONLY | os.O_TRUNC)

    def attributes() -> None:
        file = outside / "open" / "file"
        before = file.stat()
        file.chmod(0o777)
        os.utime(file, (1, 1))
        after = file.stat()
        # The sandbox lets both do nothing, and refuses `chown`.
        if (before.st_mode, before.st_mtime) == (after.st_mode, after.st_mtime):
            os.chown(file, os.getuid(), os.getgid())

    def network() -> None:
        for family, kind in (
            (socket.AF_INET, socket.SOCK_STREAM),
            (socket.AF_INET, socket.SOCK_DGRAM),
            (socket.AF_INET6, socket.SOCK_STREAM),
            (socket.AF_UNIX, socket.SOCK_STREAM),
        ):
            try:
                socket.socket(family, kind).close()
            except PermissionError:
                continue
            return
        raise PermissionError("no kind of socket can be made")

    def connect_tcp() -> None:
        with socket.socket() as link:  # not create_connection: it imports, and may not read here
            link.settimeout(2)
            link.connect(tcp)

    def connect_abstract() -> None:
        with socket.socket(socket.AF_UNIX) as link:
            link.connect(abstract)

    def signals() -> None:
        os.kill(parent, 0)

    def processes() -> None:
        Path(f"/proc/{parent}/cmdline").read_bytes()

    def memory_of() -> None:
        with suppress(PermissionError):
            Path(f"/proc/{parent}/mem").read_bytes()
            return
        linux.syscall("ptrace", _PTRACE_ATTACH, parent, 0, 0)

    def namespaces() -> None:
        with suppress(PermissionError):
            linux.syscall("unshare", _CLONE_NEWUSER)
            return
        linux.syscall("mount", 0, 0, 0, 0, 0)

    def privileges() -> None:
        fields = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
        held = [name for name in ("CapInh", "CapPrm", "CapEff", "CapAmb") if int(fields[name], 16)]
        if not held and fields["NoNewPrivs"].strip() == "1":
            raise PermissionError("no capability is left and none can be gained")

    def group() -> None:
        if os.fork() == 0:  # the first process of a group may not leave it anyway
            try:
                os.setsid()
            except PermissionError:
                os._exit(1)
            os._exit(0)
        if os.wait()[1]:
            raise PermissionError("what it starts cannot leave its group")

    def memory() -> None:
        ctypes.create_string_buffer((_MEMORY_MB + 64) * 2**20)

    def time() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (1, resource.getrlimit(resource.RLIMIT_CPU)[1]))
        busy = os.fork()
        if busy == 0:
            while True:
                pass
        if os.WIFSIGNALED(os.waitpid(busy, 0)[1]):
            raise PermissionError("a process that computes on and on is ended")

    def file_size() -> None:
        try:
            Path("large").write_bytes(bytes(2 * _FILE_MB * 2**20))
        except OSError as error:
            raise PermissionError(str(error)) from error

    def descriptors() -> None:
        try:
            for _ in range(_DESCRIPTORS):
                os.open(os.devnull, os.O_RDONLY)
        except OSError as error:
            raise PermissionError(str(error)) from error

    def requests() -> None:  # asynchronous ones for the disk
        linux.syscall("io_setup", 1, ctypes.byref(ctypes.c_ulong(0)))

    def number() -> None:
        for _ in range(_PROCESSES + 64):
            try:
                if os.fork() == 0:
                    signal.pause()
            except BlockingIOError as error:
                raise PermissionError(str(error)) from error

    return {
        **{act.__name__: act for act in (read, write, truncate, attributes, network, signals, processes)},
        **{act.__name__: act for act in (memory_of, namespaces, privileges, group, memory, time, file_size)},
        **{act.__name__: act for act in (descriptors, requests, number)},
        **{"tcp": connect_tcp, "abstract": connect_abstract},
    }
