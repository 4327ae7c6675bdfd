"""What an attacker might get at on the grader's machine: secrets, listeners and a victim, each of which tells.

A secret is a token `bait-<place>-<16 hexadecimal digits>`: where it lies is known to every attack, what it is to
none. `traces()` says what was reached; the folders below `root` themselves are compared by the harness.
"""

import contextlib
import errno
import json
import os
import secrets
import select
import socket
import stat
import subprocess
import sys
import sysconfig
import textwrap
import threading
from pathlib import Path
from typing import Any, Self

from coursekit.course.config import open_course
from coursekit.engine.shared.master import HIDDEN_BEGIN
from coursekit.gradebook.database import open_gradebook

TOKEN = "bait-[a-z]+-[0-9a-f]{16}"  # a regular expression: what attackers search for
TRACE = "trace-of-an-attack"  # what attackers call the files that they leave outside
STRANGER = "a-neighbour"  # the submission that the others would like to read

# Blocks every signal and takes them one by one; a line on standard input makes it report.
VICTIM = """
import hashlib, json, select, signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
memory = bytearray(sys.argv[1].encode() * 4096)
found = []
print("ready", flush=True)
while True:
    info = signal.sigtimedwait(signal.valid_signals(), 0.05)
    if info is not None:
        found.append(info.si_signo)
    if select.select([sys.stdin], [], [], 0)[0]:
        if not sys.stdin.readline():
            break
        print(json.dumps([found, hashlib.sha256(memory).hexdigest()]), flush=True)
"""

# What a closed door answers. Anything else is a fault of the attack, which has then tried nothing.
CELL = """import sqlite3, subprocess
bait = {known}
closed = (OSError, subprocess.SubprocessError, sqlite3.Error, MemoryError, ZeroDivisionError, *{closed})
def tried(*doors):
    for door in doors:
        try:
            print("GOT", str(door())[:2000])
        except closed as error:
            print("no", type(error).__name__)
"""

# Runs a command with a secret on its own command line, and hands down what it was given.
PARENT = "import subprocess, sys; sys.exit(subprocess.call(sys.argv[2:], close_fds=False))"


class Bait:
    """The bait of one class run.

    Attributes:
        root: the folder with the course, and with the command's folders `home` and `tmp`.
        environment, descriptors: what the grader's command gets beside its own.
        paths: {name: path} of what an attacker would like to read or write.
        ports: {name: number} of the listeners on loopback.
        sockets: {name: address} of the unix listeners; an abstract one begins with a null character.
        victim: the number of a process of the same user; grader: of the process that runs the tests.
        touched: {listener: how often something reached it}.
    """

    def __init__(self, root: Path):
        self.root = root
        self._exit = contextlib.ExitStack()
        self._tokens: dict[str, str] = {}
        self.paths: dict[str, str] = {}
        self.ports: dict[str, int] = {}
        self.sockets: dict[str, str] = {}
        self.touched: dict[str, int] = {}
        self.victim = self.grader = 0

    @property
    def secrets(self) -> tuple[str, ...]:
        """Every token; no attack knows them."""
        return tuple(self._tokens.values())

    def cell(self, code: str, closed: str = "()") -> str:
        """A cell of an attacker who knows the machine: the name `bait`, and `tried`, which goes through doors.

        `tried(door, door, ...)` calls one after the other and prints what it got. A door may be closed by errors of
        the system, and of the kinds in `closed`. The point is the end of the code, unless the code says it itself.
        """
        known = {
            "paths": self.paths,
            "ports": self.ports,
            "sockets": self.sockets,
            "victim": self.victim,
            "grader": self.grader,
            "token": TOKEN,
            "trace": TRACE,
        }
        end = "" if "reached(" in code else "\nreached()\n"
        return CELL.format(known=known, closed=closed) + textwrap.dedent(code) + end

    def __enter__(self) -> Self:
        self.grader = os.getpid()
        self._hide_in_the_course()
        self._hide_around_the_command()
        self._listen()
        self._start_victim()
        self._system = system()
        return self

    def __exit__(self, *_: Any) -> None:
        self._exit.close()

    def command(self, arguments: list[str]) -> list[str]:
        """Return the command line that runs this one, with what the attacker looks for around it."""
        return [sys.executable, "-c", PARENT, self._token("command"), *arguments]

    def traces(self) -> list[str]:
        """Return a sentence about each thing that was reached."""
        return self.reached() + differences(self._system, system())

    def reached(self) -> list[str]:
        """What the bait itself has noticed, without a look at the system's places."""
        found = [f"The listener {name} was reached {count} times." for name, count in self.touched.items()]
        return found + self._pipe() + self._victim_report()

    def _token(self, place: str) -> str:
        return self._tokens.setdefault(place, f"bait-{place}-{secrets.token_hex(8)}")

    # Secrets.

    def _hide_in_the_course(self) -> None:
        course = open_course(self.root / "course")
        week = course.weeks[0]
        source = course.source(week)
        notebook = json.loads(source.read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            text = "".join(cell["source"])
            if HIDDEN_BEGIN in text:
                cell["source"] = text.replace(HIDDEN_BEGIN, f"{HIDDEN_BEGIN}\n# {self._token('tests')}")
        source.write_text(json.dumps(notebook, indent=1) + "\n", encoding="utf-8")
        answer = next((course.answers(week) / "right").iterdir())
        with answer.open("a", encoding="utf-8") as file:
            file.write(f"\n# {self._token('answers')}\n")
        with open_gradebook(course) as book:
            book.add_student("secretary", first_name=self._token("gradebook"))
        private = course.root / "submitted" / STRANGER / "private.txt"
        private.parent.mkdir(parents=True)
        private.write_text(self._token("submission"))
        home = self.root / "home" / "password.txt"
        home.write_text(self._token("home"))
        self.paths |= {
            "root": str(self.root),
            "course": str(course.root),
            "source": str(source),
            "answer": str(answer),
            "gradebook": str(course.root / "gradebook.db"),
            "submission": str(private),
            "submitted": str(course.root / "submitted"),
            "autograded": str(course.root / "autograded"),
            "feedback": str(course.root / "feedback"),
            "home": str(self.root / "home"),
            "password": str(home),
            "tmp": str(self.root / "tmp"),
            "packages": sysconfig.get_path("purelib"),
            "coursekit": str(Path(open_course.__code__.co_filename).parent),
        }

    def _hide_around_the_command(self) -> None:
        self.environment = {"BAIT_TOKEN": self._token("environment")}
        self._token("command")
        self._read, self._write = os.pipe2(os.O_NONBLOCK)
        self._exit.callback(os.close, self._read)
        self._exit.callback(os.close, self._write)
        os.write(self._write, self._token("pipe").encode())
        file = os.open(self.root, os.O_TMPFILE | os.O_RDWR, 0o600)
        self._exit.callback(os.close, file)
        os.write(file, self._token("file").encode())
        self.descriptors = (self._read, file)

    def _pipe(self) -> list[str]:
        """Who reads the pipe empties it."""
        try:
            left = os.read(self._read, 4096).decode()
        except BlockingIOError:
            left = ""
        os.write(self._write, self._tokens["pipe"].encode())
        return [] if left == self._tokens["pipe"] else ["The pipe that the grader inherited was read."]

    # Listeners.

    def _listen(self) -> None:
        listeners: dict[str, socket.socket] = {}
        abstract = f"\0bait-{secrets.token_hex(4)}"
        for name, family, kind, address in (
            ("tcp", socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
            ("tcp6", socket.AF_INET6, socket.SOCK_STREAM, ("::1", 0)),
            ("udp", socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
            ("udp6", socket.AF_INET6, socket.SOCK_DGRAM, ("::1", 0)),
            # Where a name server of this machine would listen; an ordinary user may not.
            ("dns", socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.53", 53)),
            ("path", socket.AF_UNIX, socket.SOCK_STREAM, str(self.root / "stream.sock")),
            ("datagrams", socket.AF_UNIX, socket.SOCK_DGRAM, str(self.root / "datagram.sock")),
            ("abstract", socket.AF_UNIX, socket.SOCK_STREAM, abstract),
            ("abstract datagrams", socket.AF_UNIX, socket.SOCK_DGRAM, f"{abstract}-datagrams"),
            ("vsock", socket.AF_VSOCK, socket.SOCK_STREAM, (socket.VMADDR_CID_ANY, socket.VMADDR_PORT_ANY)),
        ):
            try:
                listener = socket.socket(family, kind)
                listener.bind(address)
            except OSError as error:
                if name in ("tcp6", "udp6", "dns", "vsock") and error.errno in (
                    *(errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT, errno.EACCES, errno.EADDRINUSE),
                    *(errno.ENODEV, errno.EPROTONOSUPPORT),
                ):
                    continue  # this machine has no such thing
                raise
            if kind == socket.SOCK_STREAM:
                listener.listen(16)
            listener.setblocking(False)
            listeners[name] = listener
            if family == socket.AF_UNIX:
                self.sockets[name] = address
            else:
                self.ports[name] = listener.getsockname()[1]
        stop, stopped = os.pipe()
        thread = threading.Thread(target=self._count, args=(listeners, stop))
        thread.start()

        def end() -> None:
            os.close(stopped)
            thread.join()
            os.close(stop)

        self._exit.callback(end)

    def _count(self, listeners: dict[str, socket.socket], stop: int) -> None:
        names = {listener.fileno(): name for name, listener in listeners.items()}
        while True:
            ready, _, _ = select.select([stop, *names], [], [])
            if stop in ready:
                break
            for descriptor in ready:
                name = names[descriptor]
                with contextlib.suppress(BlockingIOError):
                    if listeners[name].type == socket.SOCK_STREAM:
                        listeners[name].accept()[0].close()
                    else:
                        listeners[name].recv(65536)
                    self.touched[name] = self.touched.get(name, 0) + 1
        for listener in listeners.values():
            listener.close()

    # The victim.

    def _start_victim(self) -> None:
        self._victim = subprocess.Popen(
            [sys.executable, "-c", VICTIM, self._token("victim")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.victim = self._victim.pid
        self._exit.callback(self._end_victim)
        if self._victim.stdout.readline() != "ready\n":
            raise RuntimeError("the victim did not start")
        self._victim_before = self._state(), self._report()

    def _end_victim(self) -> None:
        self._victim.kill()
        self._victim.wait()
        self._victim.stdin.close()
        self._victim.stdout.close()

    def _report(self) -> list | None:
        """What the victim says; None when it does not answer."""
        with contextlib.suppress(OSError):
            self._victim.stdin.write("report\n")
            self._victim.stdin.flush()
            if select.select([self._victim.stdout], [], [], 30)[0] and (
                line := self._victim.stdout.readline()
            ):
                return json.loads(line)
        return None

    def _state(self) -> dict[str, Any]:
        """What others can change in a process from outside."""
        pid = self.victim
        status = dict(line.split(":\t", 1) for line in _text(f"/proc/{pid}/status").splitlines())
        return {
            "stopped": status.get("State", "gone")[:1] in ("T", "t", "g", "Z"),
            "traced": status.get("TracerPid"),
            "priority": _tried(os.getpriority, os.PRIO_PROCESS, pid),
            "scheduling": _tried(os.sched_getscheduler, pid),
            "affinity": sorted(_tried(os.sched_getaffinity, pid) or ()),
            "limits": _text(f"/proc/{pid}/limits"),
            "out of memory": _text(f"/proc/{pid}/oom_score_adj"),
            "descriptors": sorted(_tried(os.listdir, f"/proc/{pid}/fd") or ()),
            "folder": _tried(os.readlink, f"/proc/{pid}/cwd"),
        }

    def _victim_report(self) -> list[str]:
        state, report = self._victim_before
        now = self._state()
        found = [
            f"The victim's {name} was changed: {now[name]}." for name in state if now[name] != state[name]
        ]
        if now["stopped"]:
            return [*found, "The victim was stopped or killed."]
        answer = self._report()
        if answer is None:
            return [*found, "The victim does not answer."]
        if answer[0]:
            found.append(f"The victim got the signals {answer[0]}.")
        if answer[1] != report[1]:
            found.append("The victim's memory was written to.")
        return found


# Places that belong to nobody's run.

WATCHED = (
    *("/etc/cron.d", "/etc/cron.daily", "/etc/profile.d", "/etc/systemd", "/etc/init.d", "/var/spool"),
    *("/etc/ld.so.preload", "/etc/crontab", "/etc/profile", "/etc/passwd", "/etc/hosts", "/usr/local/bin"),
)
HOME = (
    *(".ipython", ".jupyter", ".local", ".bashrc", ".profile", ".pythonrc.py"),
    *(".config/matplotlib", ".config/autostart", ".config/systemd", ".ssh"),
)
SHARED = (
    *("/", "/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/dev", "/run", "/home", "/etc", "/usr/bin"),
    *("/usr/lib", "/var/log", str(Path.home())),
)


def system() -> dict[str, str]:
    """What an attacker may leave in the system's own places: {what: what it is}.

    Of folders that everybody writes to, only files that are called as attackers call them.
    """
    found: dict[str, str] = {}
    for top in (*WATCHED, *(str(Path.home() / name) for name in HOME), sys.prefix):
        if os.path.isfile(top):
            found[top] = _meta(top)
        for folder, folders, names in os.walk(top):
            folders[:] = [name for name in folders if name != "__pycache__" or top == sys.prefix]
            for name in (*folders, *names):
                path = os.path.join(folder, name)
                compiled_by_pytest = "-pytest-" in name and name.endswith(".pyc")  # for other tests meanwhile
                if name != "__pycache__" and not compiled_by_pytest:
                    with contextlib.suppress(OSError):
                        found[path] = _meta(path)
    for top in SHARED:
        with contextlib.suppress(OSError):
            for name in os.listdir(top):
                if TRACE in name:
                    found[os.path.join(top, name)] = "there"
    for kind in ("shm", "msg", "sem"):
        header, *lines = _text(f"/proc/sysvipc/{kind}").splitlines() or [""]
        for line in lines:
            fields = dict(zip(header.split(), line.split(), strict=False))
            if fields["uid"] == str(os.getuid()):
                found[f"System V {kind} with the key {fields['key']}"] = fields["perms"]
    return found


def differences(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """A sentence about each thing that is new, gone or changed."""
    both = before.keys() | after.keys()
    return [
        f"{name}: {before.get(name, 'not there')} became {after.get(name, 'not there')}."
        for name in sorted(both)
        if before.get(name) != after.get(name)
    ]


def _meta(path: str) -> str:
    """Owner and rights; of a file also its size and when it was written, of a link where it leads."""
    status = os.lstat(path)
    meta = f"{status.st_mode:o} {status.st_uid}"
    if stat.S_ISREG(status.st_mode) and not path.endswith(".pyc"):  # Python writes those anew at any time
        meta += f" {status.st_size} {status.st_mtime_ns}"
    elif stat.S_ISLNK(status.st_mode):
        meta += f" {os.readlink(path)}"
    return meta


def _text(path: str) -> str:
    try:
        return Path(path).read_text(errors="replace")
    except OSError:
        return ""


def _tried(call: Any, *arguments: Any) -> Any:
    """What a call gives; None where the process is gone."""
    try:
        return call(*arguments)
    except OSError:
        return None
