"""The sandbox: each refusal is really tried in a forked child that has locked itself in."""

import ctypes
import errno
import fcntl
import importlib
import json
import mmap
import os
import resource
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import textwrap
import threading
import traceback
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from waiting import wait_until

from coursekit.engine.supervisor import sandbox
from coursekit.engine.supervisor.sandbox import (
    SandboxError,
    confine,
    landlock,
    limits,
    linux,
    seccomp,
    trials,
)
from coursekit.engine.supervisor.sandbox.promises import PROMISES
from coursekit.engine.supervisor.sandbox.syscalls import NUMBERS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is for Linux")


class Ended(Exception):
    """The child ended without an answer; args[0] is the signal, 0 when it exited."""


def locked(scratch, work, before=None, seconds=20, **options):
    """What `work()` returns in a child that has locked itself in. Fails with the child's traceback.

    `before()` runs in the child before the lock-in. The child's whole group is killed afterwards.
    """
    options = {"memory_mb": 1024, "cpu_seconds": 20, "keep_fds": [], **options}
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            try:
                if before is not None:
                    before()
                options["keep_fds"] = [*options["keep_fds"], send]
                sandbox.lock_in(scratch, **options)
                answer = [work(), None]
            except BaseException:
                answer = [None, traceback.format_exc()]
            os.write(send, json.dumps(answer).encode())
        finally:
            os._exit(0)
    os.close(send)
    ready, _, _ = select.select([receive], [], [], seconds)
    data = os.read(receive, 2**20) if ready else b""
    os.close(receive)
    # Before the wait, so that the number is still the child's. This does not change how a process ends that
    # is ending anyway. A child that never locked itself in leads no group.
    for end in (os.killpg, os.kill):
        with suppress(ProcessLookupError):
            end(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    assert ready, f"no answer after {seconds} s"
    if not data:
        raise Ended(os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0)
    value, error = json.loads(data)
    assert error is None, error
    return value


def refuses(act, *arguments, errors=(errno.EPERM, errno.EACCES)):
    """Assert that this is refused: OSError with one of these numbers."""
    with pytest.raises(OSError) as caught:
        act(*arguments)
    assert caught.value.errno in errors, caught.value


@pytest.fixture
def scratch(tmp_path):
    folder = tmp_path / "scratch"
    folder.mkdir()
    return folder


@pytest.fixture
def course(tmp_path):
    """A folder beside the scratch folder with a file in it, as the course folder is."""
    folder = tmp_path / "course"
    folder.mkdir()
    (folder / "gradebook.db").write_text("marks")
    os.utime(folder / "gradebook.db", (1, 1))
    return folder


@pytest.fixture(params=["this kernel", "oldest kernel"])
def version(request, monkeypatch):
    """The kernel's own Landlock, and the first version of it (Linux 5.13), where seccomp has to do more."""
    if request.param == "oldest kernel":
        monkeypatch.setattr(landlock, "abi", lambda: 1)
    return landlock.abi()


def test_files_outside_are_out_of_reach(scratch, course, version):
    secret = course / "gradebook.db"

    def work():
        Path("mine").write_text("x")
        assert Path(scratch, "mine").read_text() == "x"
        for path in (secret, "/etc/passwd", "/etc/shadow", "/etc/hostname", __file__, "/proc/1/cmdline"):
            refuses(open, path)
        for path in ("/", "/root", "/home", "/tmp", "/etc", "/proc", "/dev/shm", "/dev/pts", "/sys", course):
            refuses(os.listdir, path)
        for path in (secret, course / "new", "/dev/shm/new", "/tmp/new", "/dev/tty", "/dev/zero"):
            refuses(open, path, "ab")
        Path("link").symlink_to(secret)
        refuses(open, "link")
        refuses(open, "link", "w")
        Path("up").symlink_to(course)
        refuses(os.listdir, "up")
        refuses(open, f"/proc/self/root{secret}")
        links = (errno.EPERM, errno.EACCES, errno.EXDEV)
        refuses(os.link, secret, "hard", errors=links)
        refuses(os.link, "mine", course / "hard", errors=links)
        refuses(os.rename, secret, "taken", errors=links)
        refuses(os.rename, "mine", course / "moved", errors=links)
        refuses(os.rename, "mine", secret, errors=links)
        refuses(os.unlink, secret)
        refuses(os.mkdir, course / "folder")
        refuses(os.rmdir, course)
        refuses(os.symlink, "x", course / "symlink")
        refuses(os.truncate, secret, 0)
        refuses(os.mknod, "device", 0o600 | 0o20000, os.makedev(1, 1))
        for act in (os.chown, os.lchown):
            refuses(act, secret, os.getuid(), os.getgid())
        refuses(os.setxattr, secret, "user.x", b"x", errors=(errno.EPERM,))
        # They say that they worked.
        secret.chmod(0)
        os.utime(secret)

    locked(scratch, work)
    assert secret.read_text() == "marks"
    assert secret.stat().st_mode & 0o777 == 0o644
    assert secret.stat().st_mtime == 1
    assert list(course.iterdir()) == [secret]


def test_what_may_be_read_may_not_be_written(scratch, course, version):
    file = course / "gradebook.db"

    def work():
        assert file.read_text() == "marks"
        assert os.listdir(course) == ["gradebook.db"]
        refuses(open, file, "r+b")
        refuses(os.open, file, os.O_RDONLY | os.O_TRUNC)
        refuses(os.truncate, file, 0)
        refuses(os.unlink, file)
        with open(file) as readable:
            os.fchmod(readable.fileno(), 0)
        Path(sys.prefix, "pyvenv.cfg").read_text()
        refuses(open, Path(sys.prefix, "new"), "w")

    locked(scratch, work, read=[course])
    assert file.read_text() == "marks"
    assert file.stat().st_mode & 0o777 == 0o644


def test_what_may_be_read_cannot_be_leased_or_flagged(scratch, course, version):
    """A lease makes every process that opens the file wait; to change flags, no file need be open for writing."""
    file = course / "gradebook.db"

    def work():
        with open(file) as readable:
            refuses(fcntl.fcntl, readable, fcntl.F_SETLEASE, fcntl.F_WRLCK)
            refuses(fcntl.fcntl, readable, fcntl.F_SETLEASE, fcntl.F_RDLCK)
            for request in (0x40086602, 0x401C5820, 0x40087602, 0x40806685, 0x5452):
                refuses(fcntl.ioctl, readable, request, bytes(128), errors=(errno.ENOTTY,))
        folder = os.open(course, os.O_RDONLY)
        refuses(fcntl.fcntl, folder, fcntl.F_NOTIFY, fcntl.DN_MODIFY)
        # What programs do ask goes on working.
        reader, writer = os.pipe()
        os.write(writer, b"abc")
        assert fcntl.ioctl(reader, termios.FIONREAD, bytes(4)) == struct.pack("i", 3)
        assert not os.isatty(reader)
        os.set_blocking(reader, False)
        assert not os.get_blocking(reader)
        assert fcntl.fcntl(reader, fcntl.F_GETPIPE_SZ) > 0
        with open("locked", "w") as mine:
            fcntl.lockf(mine, fcntl.LOCK_EX)
            fcntl.flock(mine, fcntl.LOCK_EX)

    locked(scratch, work, read=[course])


def test_what_linux_counts_for_the_whole_user_cannot_be_used_up(scratch, version):
    """Descriptors in transit and timers: a process that uses them up stops every process of the same user."""

    def work():
        left, right = socket.socketpair()
        refuses(socket.send_fds, left, [b"x"], [right.fileno()])
        refuses(left.sendmsg, [b"x"])
        refuses(linux.prctl, linux.PR_SET_DUMPABLE, 0)
        refuses(linux.prctl, 62, 1, 0, 0, 0)
        assert resource.getrlimit(resource.RLIMIT_SIGPENDING)[1] <= 1024

    locked(scratch, work)


def test_scratch_is_an_ordinary_folder(scratch):
    def work():
        assert Path.cwd() == scratch and Path.home() == scratch
        Path("a/b").mkdir(parents=True)
        Path("a/file").write_text("x")
        os.rename("a/file", "a/b/file")  # across folders
        os.link("a/b/file", "a/hard")
        os.truncate("a/hard", 0)
        os.symlink("a", "symlink")
        os.mkfifo("fifo")
        shutil.copy("a/hard", "copy")
        shutil.copytree("a", "tree")
        shutil.rmtree("tree")
        with tempfile.NamedTemporaryFile() as file:
            assert Path(file.name).is_relative_to(scratch)
        assert Path("/dev/null").write_bytes(b"gone") == 4
        assert len(os.urandom(4)) == 4 and Path("/dev/zero").exists()
        with open("/dev/urandom", "rb") as file:
            assert len(file.read(4)) == 4

    locked(scratch, work)


def test_python_and_its_packages_can_still_be_imported(scratch):
    def work():
        for name in ("tabnanny", "jupyterlab_pygments"):
            sys.modules.pop(name, None)  # another test of this process may have imported it
            importlib.import_module(name)
        assert f"Pid:\t{os.getpid()}\n" in Path("/proc/self/status").read_text()
        assert Path("/proc/cpuinfo").read_text() and Path("/proc/meminfo").read_text()
        assert os.cpu_count() >= 1

    locked(scratch, work)


@pytest.mark.skipif(
    not os.access("/proc/sys/vm/drop_caches", os.W_OK), reason="needs root to drop the kernel's caches"
)
def test_proc_stays_readable_when_the_kernel_forgets_names(scratch):
    drop = ["sh", "-c", "read line; echo 2 > /proc/sys/vm/drop_caches; echo"]
    with subprocess.Popen(drop, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as helper:
        ask, dropped = helper.stdin.fileno(), helper.stdout.fileno()

        def work():
            os.write(ask, b"\n")
            assert os.read(dropped, 1)
            for path in ("/proc/self/status", "/proc/self/maps", "/proc/cpuinfo", "/proc/meminfo"):
                assert Path(path).read_text()

        locked(scratch, work, keep_fds=[ask, dropped])


def test_other_processes_are_out_of_reach(scratch, version):
    parent = os.getpid()
    sleeper = subprocess.Popen(["sleep", "60"])  # this user's, in no sandbox

    def work():
        for pid in (parent, sleeper.pid, 1):
            for name in ("environ", "cmdline", "mem", "maps", "status"):
                refuses(open, f"/proc/{pid}/{name}")
            refuses(os.readlink, f"/proc/{pid}/exe")
            refuses(os.listdir, f"/proc/{pid}/fd")
            refuses(os.kill, pid, 0)
            refuses(linux.syscall, "tgkill", pid, pid, signal.SIGTERM)
            refuses(linux.syscall, "ptrace", 16, pid, 0, 0)
            refuses(resource.prlimit, pid, resource.RLIMIT_NOFILE, (5, 5))
            refuses(os.setpriority, os.PRIO_PROCESS, pid, 19)
            refuses(os.sched_setaffinity, pid, {0})
        refuses(signal.pidfd_send_signal, os.pidfd_open(sleeper.pid), signal.SIGKILL)
        refuses(linux.prctl, linux.PR_SET_PDEATHSIG, 0)
        os.kill(os.getpid(), 0)
        os.kill(0, 0)

    try:
        locked(scratch, work)
        assert sleeper.poll() is None
    finally:
        sleeper.kill()
        sleeper.wait()


def test_nothing_can_be_reached_over_a_socket(scratch, tmp_path, version):
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_UNIX) as path,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as datagrams,
    ):
        address = tcp.getsockname()
        path.bind(str(tmp_path / "socket"))
        path.listen()
        datagrams.bind(str(scratch / "datagrams"))

        def work():
            for family in (
                socket.AF_INET,
                socket.AF_INET6,
                socket.AF_UNIX,
                socket.AF_NETLINK,
                socket.AF_PACKET,
            ):
                for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
                    refuses(socket.socket, family, kind)
            refuses(socket.create_connection, address)
            with pytest.raises(socket.gaierror):
                socket.getaddrinfo("localhost.example", 80)
            for kind in (socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
                refuses(socket.socketpair, socket.AF_UNIX, kind)
            left, right = socket.socketpair()
            left.sendall(b"x")
            assert right.recv(1) == b"x"
            refuses(left.connect, str(tmp_path / "socket"))
            refuses(left.bind, str(scratch / "new"))
            with socket.socket(fileno=datagrams.fileno()) as kept:
                refuses(kept.sendto, b"x", str(scratch / "datagrams"))

        locked(scratch, work, keep_fds=[datagrams.fileno()])


@pytest.mark.skipif(landlock.abi() < 6, reason="this kernel's Landlock knows files only")
def test_landlock_alone_stops_tcp_abstract_sockets_and_signals(scratch, monkeypatch):
    name = f"\0course-test-{os.getpid()}"
    parent = os.getpid()
    monkeypatch.setattr(seccomp, "restrict", lambda version: None)
    monkeypatch.setattr(confine, "_verify", lambda: None)
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as abstract:
        address = tcp.getsockname()
        abstract.bind(name)
        abstract.listen()

        def work():
            refuses(socket.create_connection, address)
            refuses(socket.create_server, ("127.0.0.1", 0))
            with socket.socket(socket.AF_UNIX) as link:
                refuses(link.connect, name)
            refuses(os.kill, parent, 0)

        locked(scratch, work)


def test_refused_system_calls(scratch, version):
    refused = [rule for rule in seccomp.rules(version, 1) if not rule.when and rule.error == errno.EPERM]
    here = [rule.name for rule in refused if linux.arch() in NUMBERS[rule.name]]
    assert len(here) > 80

    def work():
        open_doors = []
        for name in here:
            try:
                linux.syscall(name, 0, 0, 0, 0, 0, 0)
                open_doors.append(name)
            except OSError as error:
                if error.errno != errno.EPERM:
                    open_doors.append(name)
        return open_doors

    assert locked(scratch, work) == []


@pytest.mark.skipif(linux.arch() != "x86_64", reason="x86_64 has other sets of calls in one process")
def test_a_32_bit_call_ends_the_process(scratch):
    def work():
        memory = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        memory.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")  # mov eax, 20 (getpid); int 0x80; ret
        code = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))
        return code()

    with pytest.raises(Ended) as caught:
        locked(scratch, work)
    # A kernel without 32-bit calls ends it with SIGSEGV before the filter sees it.
    assert caught.value.args[0] in (signal.SIGSYS, signal.SIGSEGV)


def run_filter(program: bytes, arch: int, number: int, *arguments: int) -> int:
    """What the kernel would return for a call: an interpreter of the instructions that the filter uses."""
    arguments += (0,) * (6 - len(arguments))
    data = struct.pack("<IIQ6Q", number, arch, 0, *arguments)
    code = list(struct.iter_unpack("<HBBI", program))
    position, word = 0, 0
    while True:
        operation, then, otherwise, value = code[position]
        position += 1
        if operation == 0x20:
            word = struct.unpack_from("<I", data, value)[0]
        elif operation == 0x54:
            word &= value
        elif operation == 0x06:
            return value
        else:
            holds = {0x15: word == value, 0x25: word > value, 0x35: word >= value, 0x45: bool(word & value)}
            position += then if holds[operation] else otherwise


ALLOW = 0x7FFF0000
REFUSE, ABSENT, NO_REQUEST = (0x50000 | number for number in (errno.EPERM, errno.ENOSYS, errno.ENOTTY))
THREAD = 0x3D0F00  # what pthread_create asks clone for
NAMESPACES = [(1 << bit | signal.SIGCHLD,) for bit in (17, 25, 26, 27, 28, 29, 30)]
FORK, VFORK, OWN_DESCRIPTORS = (17,), (0x4111,), (THREAD & ~0x400,)
VERDICTS = [  # of the filter for process 77 on a kernel with the oldest Landlock
    ("clone3", ABSENT, [()]),
    ("socket", REFUSE, [(1, 1)]),
    ("clone", ALLOW, [(THREAD,), FORK, VFORK]),
    ("clone", REFUSE, [*NAMESPACES, (0x8000,), OWN_DESCRIPTORS]),
    ("ioctl", ALLOW, [(0, 0x5413)]),
    ("ioctl", NO_REQUEST, [(0, 0x5412), (0, 0x541C), (0, 1 << 32 | 0x5412), (0, 1 << 32 | 0x40086602)]),
    ("fcntl", ALLOW, [(0, 1030), (3, 3)]),
    ("fcntl", REFUSE, [(3, 8)]),
    ("socketpair", ALLOW, [(1, 1 | 0x80800)]),
    ("socketpair", REFUSE, [(1, 2 | 0x80800), (2, 1)]),
    ("sendto", ALLOW, [(3, 0, 0, 0, 0)]),
    ("sendto", REFUSE, [(3, 0, 0, 0, 0x7F0000000000), (3, 0, 0, 0, 0x1000)]),
    ("prlimit64", ALLOW, [(0,)]),
    ("prlimit64", REFUSE, [(5,)]),
    ("openat", ALLOW, [(3, 0, os.O_WRONLY | os.O_TRUNC | os.O_CREAT), (3, 0, os.O_RDONLY)]),
    ("openat", REFUSE, [(3, 0, os.O_TRUNC)]),
    ("kill", ALLOW, [(77,), (0,), (-77 & 0xFFFFFFFF,)]),
    ("kill", REFUSE, [(78,), (1,), (-1 & 0xFFFFFFFF,), (-78 & 0xFFFFFFFF,)]),
    ("fchmod", 0x50000, [(3,)]),
]


@pytest.mark.parametrize("arch, audit", [("x86_64", 0xC000003E), ("aarch64", 0xC00000B7)])
def test_the_filter_on_both_architectures(arch, audit):
    program = seccomp.assemble(seccomp.rules(landlock=1, pid=77), arch)
    assert len(program) // 8 < 4096  # the kernel's limit
    assert run_filter(program, 0x40000003, 1) == 0x80000000  # another architecture's calls
    assert run_filter(program, audit, 470) == ABSENT
    for name, verdict, calls in VERDICTS:
        for arguments in calls:
            assert run_filter(program, audit, NUMBERS[name][arch], *arguments) == verdict, (name, arguments)
    if arch == "x86_64":
        assert run_filter(program, audit, 0x40000000 | 39) == 0x80000000


def test_limits(scratch):
    def work():
        with pytest.raises(MemoryError):
            bytearray(300 * 2**20)
        assert len(bytearray(100 * 2**20)) == 100 * 2**20
        with pytest.raises(OSError) as caught:
            Path("large").write_bytes(bytes(3 * 2**20))
        assert caught.value.errno == errno.EFBIG
        files = []
        with pytest.raises(OSError) as caught:
            while True:
                files.append(open(os.devnull))  # noqa: SIM115
        assert caught.value.errno == errno.EMFILE and len(files) < 64
        for file in files:
            file.close()
        # Soft limits are the hard ones, and nobody raises them again.
        for which in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE):
            soft, hard = resource.getrlimit(which)
            assert soft == hard != resource.RLIM_INFINITY
            with pytest.raises((ValueError, OSError)):
                resource.setrlimit(which, (hard, hard + 1))
        assert Path("/proc/self/oom_score_adj").read_text() == "1000\n"
        refuses(open, "/proc/self/oom_score_adj", "w")

    locked(scratch, work, memory_mb=200, file_mb=2, descriptors=64)


def compute_on():
    while True:
        pass


@pytest.mark.parametrize(
    "work, signals", [(os.abort, [signal.SIGABRT]), (compute_on, [signal.SIGKILL, signal.SIGXCPU])]
)
def test_a_process_that_crashes_or_computes_on_ends_without_a_core_dump(scratch, work, signals):
    with pytest.raises(Ended) as caught:
        locked(scratch, work, cpu_seconds=0.5, seconds=10)
    assert caught.value.args[0] in signals
    assert {path.name for path in scratch.iterdir()} == {".tmp", ".matplotlib", ".ipython", ".cache"}


def test_an_ordinary_user_can_lock_in_and_gets_a_limit_of_processes():
    folder = Path(tempfile.mkdtemp(prefix="course-test-")).resolve()

    def before():
        if os.getuid() == 0:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)

    def work():
        refuses(open, "/etc/passwd")
        refuses(socket.socket)
        assert Path("/proc/self/status").read_text()
        Path("mine").write_text("x")
        started = 0
        with pytest.raises(BlockingIOError):
            while started < 200:
                if os.fork() == 0:
                    signal.pause()
                started += 1
        return started

    try:
        if os.getuid() == 0:
            os.chown(folder, 65534, 65534)
        started = locked(folder, work, before=before, processes=20)
        # Others of this user's processes may end meanwhile.
        assert 1 <= started < 150
    finally:
        shutil.rmtree(folder)


def test_nothing_is_inherited(scratch, tmp_path, monkeypatch):
    secret = os.open(tmp_path / "secret", os.O_RDWR | os.O_CREAT)
    os.set_inheritable(secret, True)
    code = f"""
        import json, os, sys
        from pathlib import Path
        from coursekit.engine.supervisor import sandbox

        assert b"sesame" in Path("/proc/self/environ").read_bytes()
        sandbox.lock_in(Path({str(scratch)!r}), 512, 20, [2], env={{"EXTRA": "1"}})
        seen = Path("/proc/self/environ").read_bytes().replace(b"\\0", b"")
        inside = dict(os.environ)
        with os.popen("env") as pipe:
            child = pipe.read()
        links = {{}}
        for number in os.listdir("/proc/self/fd"):
            try:
                links[number] = os.readlink(f"/proc/self/fd/{{number}}")
            except FileNotFoundError:  # the one that listed the folder
                pass
        sys.stderr.write(json.dumps([seen.decode(), inside, child, links]))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={**os.environ, "TOKEN": "sesame"},
        pass_fds=[secret],
        stdin=subprocess.PIPE,
        capture_output=True,
        text=True,
    )
    os.close(secret)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    block, inside, child, links = json.loads(done.stderr)
    assert block == ""
    assert inside["HOME"] == str(scratch) and inside["EXTRA"] == "1"
    assert "TOKEN" not in inside and "sesame" not in child and "TOKEN" not in child
    assert f"HOME={scratch}" in child
    assert links["0"] == links["1"] == "/dev/null"
    assert links["2"].startswith("pipe:")
    # The rest are those that hold names in procfs.
    others = [link for number, link in links.items() if int(number) > 2]
    assert all(link.startswith("/proc/") for link in others), others


def test_no_capability_is_left(scratch):
    def work():
        fields = dict(line.split(":\t") for line in Path("/proc/self/status").read_text().splitlines())
        assert not any(int(fields[name], 16) for name in ("CapPrm", "CapEff", "CapInh", "CapAmb"))
        # What a program started as root gets anew.
        dump = subprocess.check_output(["setpriv", "--dump"], text=True)
        assert "no_new_privs: 1" in dump and "Inheritable capabilities: [none]" in dump

    locked(scratch, work)


def test_what_it_starts_is_as_confined_and_ends_with_its_group(scratch, course):
    secret = course / "gradebook.db"
    code = f"""
        import os, socket
        from pathlib import Path
        for act in (Path({str(secret)!r}).read_text, socket.socket, os.setsid, lambda: os.kill(os.getppid(), 0)):
            try:
                act()
                print("open")
            except PermissionError:
                print("refused")
    """

    def work():
        assert "mine" in subprocess.run(["ls"], capture_output=True, text=True).stdout
        cat = subprocess.run(["cat", secret], capture_output=True, text=True)
        assert cat.returncode != 0 and cat.stdout == "" and "denied" in cat.stderr
        inner = [sys.executable, "-c", textwrap.dedent(code)]
        # The parent of the inner one is in the same sandbox, so it may signal it.
        assert subprocess.check_output(inner, text=True).split() == ["refused", "refused", "refused", "open"]
        with pytest.raises((OSError, subprocess.SubprocessError)):
            subprocess.Popen(["sleep", "60"], start_new_session=True)
        # An orphan, as a daemon would be.
        subprocess.run(["sh", "-c", "sleep 60 & echo $! > orphan"])
        thread = threading.Thread(target=Path("thread").write_text, args=("ran",))
        thread.start()
        thread.join()
        assert Path("thread").read_text() == "ran"
        return int(Path("orphan").read_text())

    (scratch / "mine").write_text("")
    orphan = locked(scratch, work)
    with suppress(psutil.NoSuchProcess):  # its group has ended
        wait_until(lambda: psutil.Process(orphan).status() == psutil.STATUS_ZOMBIE, seconds=5)


def test_only_a_process_with_one_thread_can_be_locked_in(scratch):
    stop = threading.Event()

    def before():
        threading.Thread(target=stop.wait, daemon=True).start()

    with pytest.raises(AssertionError, match="one thread"):
        locked(scratch, lambda: None, before=before)


def test_without_landlock_it_refuses(scratch, monkeypatch):
    monkeypatch.setenv("COURSEKIT_SIMULATE_NO_LANDLOCK", "1")
    (sentence,) = sandbox.missing()
    assert "no Landlock" in sentence and "lsm=" in sentence
    assert sandbox.describe() == [("Student code can be confined", False, sentence)]
    with pytest.raises(SandboxError, match="no Landlock"):
        sandbox.lock_in(scratch, 1024, 20, [])
    assert os.path.exists("/etc/passwd") and os.environ["COURSEKIT_SIMULATE_NO_LANDLOCK"] == "1"


def test_a_lock_that_does_not_hold_is_noticed(scratch, monkeypatch):
    monkeypatch.setattr(seccomp, "restrict", lambda version: None)
    with pytest.raises(AssertionError, match="sockets can be made"):
        locked(scratch, lambda: None)


def test_a_prefix_that_holds_more_than_python_is_refused(scratch, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "prefix", "/")
    with pytest.raises(SandboxError, match="sys.prefix is /"):
        sandbox.readable(scratch)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))  # holds the scratch folder
    with pytest.raises(SandboxError, match="scratch"):
        sandbox.readable(scratch)
    course = tmp_path / "course"
    course.mkdir()
    monkeypatch.setattr(sys, "prefix", str(course))
    assert str(course) in sandbox.readable(scratch)
    (course / "course.toml").write_text("")
    with pytest.raises(SandboxError, match="the course"):
        sandbox.readable(scratch)
    assert sandbox.missing() != []


@pytest.mark.slow
@pytest.mark.parametrize("version", ["oldest kernel", "this kernel"], indirect=True)
def test_the_doctor_finds_that_every_promise_is_kept(version):
    assert sandbox.missing() == []
    lines = {what: kept for what, kept, _ in sandbox.describe()}
    assert list(lines) == [promise.what for promise in PROMISES]
    for promise in PROMISES:
        kept = True
        if promise.key == "number" and os.getuid() == 0:
            kept = False  # the kernel does not limit root's processes
        elif promise.extra and version < {"tcp": 4, "abstract": 6}[promise.key]:
            kept = None
        assert lines[promise.what] is kept, promise


@pytest.mark.slow
@pytest.mark.parametrize(
    "owner, lock, broken",
    [
        (landlock, "restrict", {"read", "write", "truncate", "signals", "processes"}),
        (seccomp, "restrict", {"attributes", "network", "group", "requests"}),
        (limits, "limit", {"memory", "file_size", "descriptors"}),
        (limits, "drop_capabilities", {"privileges"} if os.getuid() == 0 else set()),
    ],
)
def test_the_doctor_finds_a_lock_that_is_missing(monkeypatch, owner, lock, broken):
    keys = {promise.what: promise.key for promise in PROMISES}
    monkeypatch.setattr(trials, "missing", list)
    monkeypatch.setattr(confine, "_verify", lambda: None)
    monkeypatch.setattr(owner, lock, lambda *_: [])
    assert broken <= {keys[what] for what, kept, _ in sandbox.describe() if kept is False}
