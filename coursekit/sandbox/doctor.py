"""What the sandbox stops on this machine, found out by trying it in forked children."""

import ctypes
import json
import os
import select
import signal
import socket
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from coursekit import sandbox
from coursekit.errors import CourseError
from coursekit.sandbox import kernel, landlock
from coursekit.sandbox.kernel import SandboxError

_MEMORY_MB, _FILE_MB, _PROCESSES = 256, 1, 16
_SECONDS = 20  # for one trial
_CLONE_NEWUSER = 0x10000000
_PTRACE_ATTACH = 16

# What an act may end with when it was stopped.
_STOPPED = (PermissionError, MemoryError)


@contextmanager
def _place() -> Iterator[tuple[Path, Path]]:
    """Two new folders: a scratch folder and one outside of it that holds `secret`.

    A child makes and removes them: when this process is killed they go too.
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
            raise CourseError(f"There is no room for a folder in {tempfile.gettempdir()}. Make room there.")
        yield Path(name, "scratch"), Path(name, "outside")
    finally:
        os.close(name_end)
        os.write(stay, b"\0")
        os.close(stay)
        os.waitpid(child, 0)


def _try(act: Callable[[], object], scratch: Path, full: bool = True) -> tuple[str, str]:
    """Do something in a forked child that has locked itself in.

    Args:
        act: raises when it was stopped.
        scratch: the child's scratch folder.
        full: False for Landlock alone.

    Returns:
        ("stopped" | "open" | "failed", what the child says about it)
    """
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:
        answer = ("failed", "")
        try:
            if full:
                sandbox.lock_in(
                    scratch, _MEMORY_MB, 20, [send], file_mb=_FILE_MB, processes=_PROCESSES, descriptors=64
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
        # One message, not up to the pipe's end: what the child started holds the other end, too.
        ready, _, _ = select.select([receive], [], [], _SECONDS)
        data = os.read(receive, 2**16) if ready else b""
    finally:
        os.close(receive)
        # The child leads its group once it is locked in; what it started ends with it.
        for end in (os.killpg, os.kill):
            with suppress(OSError):
                end(child, signal.SIGKILL)
        status = os.waitpid(child, 0)[1]
    if not data:
        return "failed", f"the child ended with wait status {status}"
    outcome, words = json.loads(data)
    return outcome, words


def trial() -> list[str]:
    """[] when a forked child could lock itself in and work; else a sentence that says why not."""

    def work():
        Path("trial").write_text("works")

    with _place() as (scratch, _):
        outcome, words = _try(work, scratch)
    if outcome == "open":
        return []
    return [f"A trial of the sandbox failed. {words}"]


def describe() -> list[tuple[str, bool, str]]:
    """See `coursekit.sandbox.describe`."""
    if reasons := sandbox.missing():
        return [("sandbox", False, reason) for reason in reasons]
    lines = [("sandbox", True, f"A process can lock itself in. Landlock version {landlock.abi()}.")]
    with (
        _place() as (scratch, outside),
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        abstract.bind(f"\0course-doctor-{os.getpid()}")
        abstract.listen()
        for name, yes, no, act, full in _acts(scratch, outside, tcp.getsockname(), abstract.getsockname()):
            outcome, words = _try(act, scratch, full)
            stopped = outcome == "stopped"
            lines.append((name, stopped, yes if stopped else f"{no} ({words})"))
    return lines


def _acts(scratch: Path, outside: Path, tcp: tuple[str, int], abstract: bytes):
    """(name, sentence when stopped, sentence when not, what to try, in the full sandbox?)"""
    parent = os.getpid()

    def read():
        (outside / "secret").read_text()

    def write():
        (outside / "new").write_text("")

    def make_socket():
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

    def connect_tcp():
        socket.create_connection(tcp, timeout=2).close()

    def connect_abstract():
        with socket.socket(socket.AF_UNIX) as link:
            link.connect(abstract)

    def send_signal():
        os.kill(parent, 0)

    def look_into():
        Path(f"/proc/{parent}/cmdline").read_bytes()

    def attach():
        kernel.syscall("ptrace", _PTRACE_ATTACH, parent, 0, 0)

    def new_namespace():
        kernel.syscall("unshare", _CLONE_NEWUSER)

    def gain():
        fields = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
        held = [name for name in ("CapInh", "CapPrm", "CapEff", "CapAmb") if int(fields[name], 16)]
        if not held and fields["NoNewPrivs"].strip() == "1":
            raise PermissionError("no capability is left and none can be gained")

    def use_memory():
        ctypes.create_string_buffer((_MEMORY_MB + 64) * 2**20)

    def fill_file():
        try:
            Path("large").write_bytes(bytes(2 * _FILE_MB * 2**20))
        except OSError as error:
            raise PermissionError(str(error)) from error

    def multiply():
        for _ in range(_PROCESSES + 64):
            try:
                if os.fork() == 0:
                    signal.pause()
            except BlockingIOError as error:
                raise PermissionError(str(error)) from error

    root = " Grade as an ordinary user: the kernel does not limit root." if os.getuid() == 0 else ""
    return [
        ("read files", "Files outside cannot be read.", "Files outside can be read.", read, True),
        ("write files", "Files outside cannot be written.", "Files outside can be written.", write, True),
        ("network", "No socket can be made.", "Sockets can be made.", make_socket, True),
        (
            "TCP, second lock",
            "Landlock alone stops TCP, too.",
            "Landlock alone does not stop TCP (Linux 6.7 does); seccomp has to.",
            connect_tcp,
            False,
        ),
        (
            "abstract sockets, second lock",
            "Landlock alone stops abstract sockets, too.",
            "Landlock alone does not stop abstract sockets (Linux 6.12 does); seccomp has to.",
            connect_abstract,
            False,
        ),
        ("signals", "Other processes get no signal.", "Other processes can be signalled.", send_signal, True),
        (
            "signals, second lock",
            "Landlock alone stops signals, too.",
            "Landlock alone does not stop signals (Linux 6.12 does); seccomp has to.",
            send_signal,
            False,
        ),
        ("processes", "Other processes are not seen.", "Other processes are seen.", look_into, True),
        ("debugging", "Other processes cannot be traced.", "They can be traced.", attach, True),
        ("namespaces", "No namespace can be made.", "Namespaces can be made.", new_namespace, True),
        ("privileges", "Nothing can be gained.", "Privileges are left.", gain, True),
        ("memory", "Memory is limited.", "Memory is not limited.", use_memory, True),
        ("file size", "The size of a file is limited.", "It is not limited.", fill_file, True),
        (
            "number of processes",
            "The number of processes is limited.",
            f"The number of processes is not limited; time ends them.{root}",
            multiply,
            True,
        ),
    ]
