"""The grader's end of a kernel's channel, against libzmq and against a peer that means harm."""

import os
import socket
import struct
import threading
import time
from contextlib import ExitStack, closing, suppress

import pytest
import zmq
from jupyter_client.session import Session
from quick import first
from waiting import wait_until

from coursekit.engine.coordinator import channel
from coursekit.engine.coordinator.channel import Channel
from coursekit.engine.coordinator.messages import RequestBuilder


@pytest.fixture
def connect(tmp_path):
    """A function (kind of our channel, kind of libzmq's socket) -> (our channel, libzmq's socket)."""
    with zmq.Context() as context, ExitStack() as opened:

        def connect(ours, theirs):
            socket = opened.enter_context(context.socket(theirs))
            socket.linger = 0
            socket.bind(f"ipc://{tmp_path}/s")
            return opened.enter_context(closing(Channel(f"{tmp_path}/s", ours))), socket

        yield connect


@pytest.fixture
def link_and_peer(tmp_path):
    """A channel, and the plain socket at its other end."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"{tmp_path}/s")
        listener.listen()
        with closing(Channel(f"{tmp_path}/s", "DEALER")) as link:
            peer, _ = listener.accept()
            with peer:
                yield link, peer


def received(link):
    """The next message."""
    return wait_until(lambda: link.poll(1) and link.receive())


def test_a_dealer_talks_with_zeromq(connect):
    link, router = connect("DEALER", zmq.ROUTER)
    asked = [b"", b"short", bytes(300), os.urandom(1 << 20)]
    link.send(asked)  # before the other side has sent anything
    assert link.receive() is None or link.poll(60)
    wait_until(lambda: link.receive() is None and router.poll(10))
    name, *parts = router.recv_multipart()
    assert parts == asked
    for number in range(500):
        router.send_multipart([name, b"%d" % number, bytes(number * 100)])
    for number in range(500):
        assert received(link) == [b"%d" % number, bytes(number * 100)]
    assert not link.poll(0) and link.receive() is None


def test_a_subscriber_gets_everything(connect):
    link, publisher = connect("SUB", zmq.XPUB)
    wait_until(lambda: link.receive() is None and publisher.poll(10))
    assert publisher.recv() == b"\x01"
    publisher.send_multipart([b"topic", b"body"])
    assert received(link) == [b"topic", b"body"]


def test_a_part_that_is_too_large_comes_empty(connect):
    link, router = connect("DEALER", zmq.ROUTER)
    link.send([b"here"])
    wait_until(lambda: link.receive() is None and router.poll(10))
    name, _ = router.recv_multipart()
    router.send_multipart([name, b"one", bytes(channel.MAX_MESSAGE - 2), b"three"])
    router.send_multipart([name, b"x" * 300, b"y" * (2 << 20)])
    router.send_multipart([name, bytes(1 << 20), bytes(channel.MAX_MESSAGE - (1 << 20)), b""])
    assert received(link) == [b"one", b"", b"three"]
    assert received(link) == [b"x" * 300, b"y" * (2 << 20)]
    assert [len(part) for part in received(link)] == [1 << 20, channel.MAX_MESSAGE - (1 << 20), 0]


GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x01" + b"NULL".ljust(20, b"\0") + bytes(32) + b"\x04\x06\x05READY"
LARGE = struct.pack(">BQ", 3, 1 << 20) + bytes(1 << 20)
HARM = {
    "parts without end": GREETING + LARGE * 200,
    "tiny parts without end": GREETING + b"\x01\x00" * 1_000_000,
    "a part without end": GREETING + struct.pack(">BQ", 3, 1 << 60) + bytes(100 << 20),
    "bytes that are nothing": os.urandom(100_000) * 10,
    "nothing": b"",
    "half a greeting": GREETING[:20],
    "commands without end": GREETING + b"\x04\x06\x05READY" * 100_000,
}


def test_a_closed_connection_is_noticed_when_something_is_sent(link_and_peer):
    """Otherwise a kernel that died with a process of the engine would be taken for the student's fault."""
    link, peer = link_and_peer
    peer.sendall(GREETING)
    while link.poll(1):
        link.receive()
    assert not link.disconnected
    peer.close()
    link.send([b"a request"])
    assert link.disconnected and link.stopped


@pytest.mark.slow
@pytest.mark.parametrize("harm", first(2, HARM))
def test_a_hostile_peer_is_not_read_any_more(link_and_peer, harm):
    link, peer = link_and_peer

    def talk():
        with suppress(OSError):
            peer.sendall(HARM[harm])
        peer.close()

    thread = threading.Thread(target=talk)
    thread.start()
    largest = messages = 0
    number = link.fileno()
    while link.poll(2):
        messages += link.receive() is not None
        largest = max(largest, len(link._data) + link._size)
    thread.join()
    assert largest <= channel.MAX_MESSAGE + (2 << 20)
    assert messages == 0 or harm == "bytes that are nothing"
    # The descriptor is never readable again, so a poller does not wake up for it.
    assert link.fileno() == number and not link.poll(0) and link.receive() is None
    link.send([b"x"])


def test_a_peer_that_reads_nothing_does_not_hold_up(link_and_peer, monkeypatch):
    monkeypatch.setattr(channel, "SEND_SECONDS", 0.2)
    link, peer = link_and_peer
    peer.sendall(GREETING)
    assert link.poll(10) and link.receive() is None
    started = time.monotonic()
    link.send([bytes(50 << 20)])
    assert time.monotonic() - started < 30
    assert not link.poll(0)


@pytest.mark.parametrize(("count", "kept"), [(100, True), (50_000, False)])
def test_a_message_has_only_so_many_parts(link_and_peer, count, kept):
    """Each empty part costs the coordinator memory and the peer two bytes."""
    link, peer = link_and_peer
    message = b"\x01\x00" * (count - 1) + b"\x00\x00"
    with suppress(OSError):
        peer.sendall(GREETING + message + b"\x00\x05after")
    found = []
    while link.poll(0.2):
        found.append(link.receive())
    expected = [[b""] * count, [b"after"]] if kept else []
    assert [parts for parts in found if parts is not None] == expected


def test_a_request_is_what_jupyters_own_session_makes():
    """It reads it, with its signature, and finds what its own has; "?" for half a surrogate pair."""
    metadata = {"tags": [1]}
    theirs = Session(key=b"secret")
    requests = RequestBuilder("secret")
    numbers = set()
    for sent, content in (({"code": "'ä'"}, {"code": "'ä'"}), ({"code": "'\ud800'"}, {"code": "'?'"})):
        number, parts = requests.build("execute_request", sent, metadata)
        _, message = theirs.feed_identities(parts)
        got = theirs.deserialize(message)
        own = theirs.msg("execute_request", content, metadata=metadata)
        assert (got["content"], got["metadata"], got["parent_header"]) == (content, metadata, {})
        assert got["header"].keys() == own["header"].keys()
        assert got["msg_type"] == "execute_request" and got["msg_id"] == number
        numbers.add(number)
    assert len(numbers) == 2
    with pytest.raises(ValueError, match="Signature"):
        Session(key=b"another").deserialize(theirs.feed_identities(parts)[1])


def test_a_kernel_that_left_stays_gone(connect):
    link, router = connect("DEALER", zmq.ROUTER)
    link.send([b"are you there?"])
    wait_until(lambda: link.receive() is None and router.poll(10))
    router.close()
    wait_until(lambda: link.receive() is None and link.disconnected)
    link.send([b"is anybody there?"])
    assert link.disconnected


def test_a_channel_that_stopped_by_itself_is_not_called_disconnected(link_and_peer, monkeypatch):
    link, peer = link_and_peer
    monkeypatch.setattr(channel, "MAX_BYTES", 10)
    peer.sendall(bytes(1000))
    wait_until(lambda: link.receive() is None and link.stopped)
    assert link.receive() is None and not link.disconnected
