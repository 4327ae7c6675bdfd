"""What goes wrong between a coordinator and a fork: a fork that fails, a guardian that reports without end or dies."""

import contextlib
import errno
import os
import select
import signal
import threading
import time
from contextlib import closing
from types import SimpleNamespace

import msgpack
import pytest

from coursekit.engine.coordinator import kernel_client
from coursekit.engine.coordinator.forked_process import ForkedProcess, ServerLost
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.shared import frames
from coursekit.engine.supervisor import fork_server, scratch


def started(connection, folder):
    """Send a guardian's first message; the process is this one's child, and ends at once."""
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    frames.receive(connection)
    frames.send(connection, msgpack.packb(["started", pid, 0, str(folder / f"{scratch.PREFIX}x")]))


@pytest.fixture
def failing_server(tmp_path):
    """A fork server whose first fork fails. Gives its socket's path."""
    listener = fork_server._listener(tmp_path, "student")
    until, ours = os.pipe()
    pid = os.fork()
    if pid == 0:
        fork = os.fork

        def fails_once():
            os.fork = fork
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

        os.fork = fails_once
        os.close(ours)
        try:
            fork_server._serve(listener, lambda connection, _: started(connection, tmp_path), until=until)
        finally:
            os._exit(0)
    os.close(until)
    listener.close()
    yield tmp_path / "student.sock"
    os.close(ours)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def test_a_server_outlives_a_fork_that_fails(failing_server):
    with pytest.raises(ServerLost):  # as the request is sent, or when its answer is read
        _ = ForkedProcess(failing_server, {}, []).pid
    second = ForkedProcess(failing_server, {}, [])
    assert second.pid > 0
    second.close()


@pytest.fixture
def listener(tmp_path):
    """The socket of a fork server, at which a test plays the guardian."""
    with closing(fork_server._listener(tmp_path, "student")) as listening:
        yield listening


@contextlib.contextmanager
def guardian(listener, talk):
    """A forked process whose guardian `talk(connection)` plays in a thread."""

    def serve():
        connection, _ = listener.accept()
        with connection:
            frames.receive(connection)  # the limits
            talk(connection)

    thread = threading.Thread(target=serve)
    thread.start()
    with closing(ForkedProcess(listener.getsockname(), {}, [])) as process:
        try:
            yield process
        finally:
            thread.join()


def test_a_look_ends_in_time_however_often_the_guardian_speaks(listener, tmp_path):
    over = threading.Event()

    def talk(connection):
        started(connection, tmp_path)
        while not over.wait(0.05):
            frames.send(connection, msgpack.packb(["used", 1.0, 2.0]))
        frames.send(connection, msgpack.packb(["ended", "exited", 0, 0.0]))

    enough = threading.Timer(10, over.set)  # a look that does not end is not to hang the test
    enough.start()
    with guardian(listener, talk) as process:
        begun = time.monotonic()
        assert process.poll(0.4) is None
        assert time.monotonic() - begun < 5
        assert (process.children_seconds, process.children_waited) == (1.0, 2.0)
        enough.cancel()
        over.set()
        assert process.poll(5) == ("exited", 0)


def test_the_reason_is_known_while_what_was_left_is_removed(listener, tmp_path, monkeypatch):
    """To remove thousands of folders may take a busy machine very long."""
    monkeypatch.setattr(kernel_client, "CLEAN_UP_SECONDS", 0.5)
    asked = threading.Event()

    def talk(connection):
        started(connection, tmp_path)
        frames.send(connection, msgpack.packb(["ending", "scratch"]))
        asked.wait(20)
        frames.send(connection, msgpack.packb(["ended", "scratch", -1, 0.0]))

    with guardian(listener, talk) as process:
        kernel = SimpleNamespace(process=process)
        assert kernel_client.StudentKernel._why(kernel, SimpleNamespace(left=lambda: 1.0)) == "scratch"
        assert process.ended is None
        asked.set()
        assert process.poll(5) == ("scratch", -1)


@pytest.mark.parametrize("collected", [False, True])
def test_what_a_process_had_started_dies_with_its_guardian(listener, tmp_path, collected):
    """Also if the process has ended and nobody has collected it yet, so that its number is still there."""
    inner, outer = os.pipe()
    leader = os.fork()
    if leader == 0:
        os.setsid()
        if child := os.fork():
            os.write(outer, str(child).encode())
        time.sleep(1000)
        os._exit(0)
    watched = os.pidfd_open(int(os.read(inner, 100)))
    asked = threading.Event()

    def talk(connection):
        frames.receive(connection)
        frames.send(connection, msgpack.packb(["started", leader, 0, str(tmp_path / f"{scratch.PREFIX}x")]))
        asked.wait(20)
        os.kill(leader, signal.SIGKILL)
        os.waitid(os.P_PID, leader, os.WEXITED | (0 if collected else os.WNOWAIT))

    try:
        with guardian(listener, talk) as process:
            assert process.pid == leader
            asked.set()
            with pytest.raises(ServerLost, match="guardian"):
                process.poll(20)
            assert select.select([watched], [], [], 10)[0], "what it had started is still running"
    finally:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(watched, signal.SIGKILL)
        if not collected:
            os.waitpid(leader, 0)
        for descriptor in (inner, outer, watched):
            os.close(descriptor)


def test_what_the_servers_wrote_is_kept_and_named_when_they_die(tmp_path, caplog):
    with Servers(log=tmp_path / "servers.log") as servers:
        first = servers.wait()
        first._errors.write(b"something went wrong")
        first._errors.flush()
        os.kill(first._process.pid, signal.SIGKILL)
        first._process.wait()
        assert servers.wait() is not first
    assert (tmp_path / "servers.log").read_text() == "something went wrong"
    assert str(tmp_path / "servers.log") in caplog.text


def test_without_trouble_nothing_is_kept(tmp_path):
    with Servers(log=tmp_path / "servers.log") as servers:
        servers.wait()
    assert list(tmp_path.iterdir()) == []
