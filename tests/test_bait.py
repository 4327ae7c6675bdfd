"""The bait of the attacks tells when it was touched: each detector is set off once, on purpose."""

import ctypes
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest
from attacks.bait import TOKEN, TRACE, Bait, differences, system
from attacks.harness import command, make_folder

from coursekit.course.config import open_course

pytestmark = pytest.mark.slow  # what it watches over, test_attacks.py, is slow too


@pytest.fixture(scope="module")
def bait(tmp_path_factory):
    root = tmp_path_factory.mktemp("bait")
    make_folder(root / "course")
    with Bait(root) as started:
        yield started


@pytest.fixture
def quiet(bait):
    """The bait, before anything was done to it and with nothing left over after."""
    assert bait.reached() == []
    yield bait
    bait.touched.clear()


def trace(bait, words, seconds=60):
    """Wait for a sentence with these words in it."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = bait.reached()
        if any(words in sentence for sentence in found):
            return
        time.sleep(0.05)
    pytest.fail(f"no trace with {words!r} among {found}")


def test_each_secret_is_where_it_is_said_to_be(bait):
    assert len(bait.secrets) == len(set(bait.secrets)) == 10
    kinds = {token.split("-")[1]: token.encode() for token in bait.secrets}
    places = {"tests": "source", "answers": "answer", "home": "password"}
    for kind, place in (places | {"gradebook": "gradebook", "submission": "submission"}).items():
        assert kinds[kind] in Path(bait.paths[place]).read_bytes()
    assert Path(f"/proc/{bait.victim}/cmdline").read_bytes().count(kinds["victim"]) == 1
    # What a command started by the harness could read of itself and of its parent.
    code = (
        "import os, sys; parent = open(f'/proc/{os.getppid()}/cmdline').read()\n"
        f"_, file = {bait.descriptors}\n"
        "print(parent, os.environ['BAIT_TOKEN'], os.pread(file, 99, 0))"
    )
    done = subprocess.run(
        bait.command([sys.executable, "-c", code]),
        env=os.environ | bait.environment,
        pass_fds=bait.descriptors,
        capture_output=True,
        text=True,
    )
    for kind in ("command", "environment", "file"):
        assert kinds[kind].decode() in done.stdout, done.stderr
    assert all(re.fullmatch(TOKEN, token) for token in bait.secrets)


def test_the_course_with_its_secrets_can_be_graded(bait):
    done = command(open_course(bait.root / "course"), bait, ["grade"])
    assert done.returncode == 2  # nothing was handed in; but the folder was read


@pytest.mark.parametrize(
    ("name", "family", "kind"),
    [
        ("tcp", socket.AF_INET, socket.SOCK_STREAM),
        ("tcp6", socket.AF_INET6, socket.SOCK_STREAM),
        ("udp", socket.AF_INET, socket.SOCK_DGRAM),
        ("udp6", socket.AF_INET6, socket.SOCK_DGRAM),
        ("dns", socket.AF_INET, socket.SOCK_DGRAM),
        ("path", socket.AF_UNIX, socket.SOCK_STREAM),
        ("datagrams", socket.AF_UNIX, socket.SOCK_DGRAM),
        ("abstract", socket.AF_UNIX, socket.SOCK_STREAM),
        ("abstract datagrams", socket.AF_UNIX, socket.SOCK_DGRAM),
        ("vsock", socket.AF_VSOCK, socket.SOCK_STREAM),
    ],
)
def test_listeners_count(quiet, name, family, kind):
    if name not in quiet.ports and name not in quiet.sockets:
        pytest.skip("this machine has no such address")
    if family == socket.AF_UNIX:
        address = quiet.sockets[name]
    elif family == socket.AF_VSOCK:
        address = (1, quiet.ports[name])
    else:
        hosts = {"tcp6": "::1", "udp6": "::1", "dns": "127.0.0.53"}
        address = (hosts.get(name, "127.0.0.1"), quiet.ports[name])
    with socket.socket(family, kind) as link:
        try:
            link.connect(address)
        except OSError:
            assert family == socket.AF_VSOCK  # the module may be there without a loopback
            return
        if kind == socket.SOCK_DGRAM:
            link.send(b"x")
        trace(quiet, f"The listener {name} was reached 1 times.")


def test_the_inherited_pipe_tells_who_read_it(quiet):
    data = os.read(quiet.descriptors[0], 10)
    assert quiet.reached() == ["The pipe that the grader inherited was read."]
    assert data.startswith(b"bait-pipe-")


@pytest.fixture
def victim(tmp_path):
    """Bait of its own: what is done to its victim cannot be undone."""
    make_folder(tmp_path / "course")
    with Bait(tmp_path) as started:
        yield started


@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGKILL])
def test_the_victim_shows_what_it_cannot_block(victim, number):
    os.kill(victim.victim, number)
    trace(victim, "The victim was stopped or killed.")


def test_the_victim_shows_what_was_done_to_it(victim):
    os.kill(victim.victim, signal.SIGUSR1)
    trace(victim, f"The victim got the signals [{int(signal.SIGUSR1)}].")
    os.setpriority(os.PRIO_PROCESS, victim.victim, 19)
    trace(victim, "The victim's priority was changed: 19.")
    os.sched_setaffinity(victim.victim, {min(os.sched_getaffinity(0))})
    if len(os.sched_getaffinity(0)) > 1:
        trace(victim, "The victim's affinity was changed")
    resource.prlimit(victim.victim, resource.RLIMIT_NOFILE, (64, 64))
    trace(victim, "The victim's limits was changed")
    token = next(token for token in victim.secrets if "-victim-" in token).encode()
    with (
        open(f"/proc/{victim.victim}/maps") as maps,
        open(f"/proc/{victim.victim}/mem", "r+b", buffering=0) as memory,
    ):
        for line in maps:
            span, rights, *_ = line.split()
            if rights.startswith("rw"):
                start, end = (int(part, 16) for part in span.split("-"))
                memory.seek(start)
                for match in re.finditer(token, memory.read(end - start)):
                    memory.seek(start + match.start())
                    memory.write(b"x")
    trace(victim, "The victim's memory was written to.")


def test_system_places_are_compared(tmp_path):
    package = Path(sysconfig.get_path("purelib"), f"{TRACE}-test.pth")
    shared = Path("/dev/shm", f"{TRACE}-test")
    before = system()
    try:
        package.write_text("")
        shared.write_text("")
        found = differences(before, system())
        assert all(any(str(path) in sentence for sentence in found) for path in (package, shared))
        before = system()
        package.chmod(0o400)
        assert any(str(package) in sentence for sentence in differences(before, system()))
    finally:
        package.unlink(missing_ok=True)
        shared.unlink(missing_ok=True)


def test_system_v_memory_is_seen():
    libc = ctypes.CDLL(None)
    before = system()
    key = 0x0BA17001
    identity = libc.shmget(key, 4096, 0o1600)
    assert identity >= 0
    try:
        assert any(f"key {key}" in sentence for sentence in differences(before, system()))
    finally:
        libc.shmctl(identity, 0, None)
