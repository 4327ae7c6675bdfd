"""Frames: a length and that many bytes, sent over a socket, if needed with file descriptors.

All of the engine's processes exchange frames of msgpack. Those between the student kernel and the examiner are made and
decoded by `wire.Codec`.
"""

import socket
import struct

MAX_FRAME = 32 * 1024 * 1024  # bytes; the tensors of a test are far smaller


class WireError(Exception):
    """A frame that violates the protocol. Its connection must not be used any more."""


def set_time_out(connection: socket.socket, seconds: int) -> None:
    """Have `send` and `receive` raise BlockingIOError when one of their system calls waits longer than `seconds`.

    The socket stays blocking. With `socket.settimeout`, Python makes two system calls each time, and releases the
    GIL for both.
    """
    value = struct.pack("@ll", seconds, 0)
    for option in (socket.SO_SNDTIMEO, socket.SO_RCVTIMEO):
        connection.setsockopt(socket.SOL_SOCKET, option, value)


def send(connection: socket.socket, data: bytes, fds: tuple[int, ...] = ()) -> None:
    """Send one frame, with file descriptors if there are any.

    Raises:
        OSError: the other side has closed the connection, or a timeout has passed.
    """
    header = struct.pack(">I", len(data))
    if fds:
        socket.send_fds(connection, [header], list(fds))
        connection.sendall(data)
    else:
        connection.sendall(header + data)


def receive(connection: socket.socket, max_bytes: int = MAX_FRAME) -> bytes:
    """Return the next frame.

    Args:
        max_bytes: the largest frame that is accepted.

    Raises:
        EOFError: the other side has closed the connection.
        WireError: the frame is too large.
        OSError: the connection broke, or a timeout has passed.
    """
    (length,) = struct.unpack(">I", _exactly(connection, 4))
    if length > max_bytes:
        raise WireError("a frame is too large")
    return _exactly(connection, length)


def receive_reply(connection: socket.socket, max_bytes: int) -> bytes:
    """Return the next frame, usually with one system call, from a sender that then waits for an answer.

    Raises:
        EOFError, WireError, OSError: as `receive`; also a WireError if more data has arrived with a small frame.
    """
    data = connection.recv(1 << 13)
    if len(data) < 4:
        data += _exactly(connection, 4 - len(data))
    (length,) = struct.unpack_from(">I", data)
    missing = length + 4 - len(data)
    if length > max_bytes or missing < 0:
        raise WireError("a reply is larger than allowed, or longer than its header")
    return data[4:] + _exactly(connection, missing)


def receive_with_fds(connection: socket.socket, max_fds: int) -> tuple[bytes, list[int]]:
    """Return the next frame and the file descriptors that were sent with it. It raises as `receive` does."""
    header, fds, _, _ = socket.recv_fds(connection, 4, max_fds)
    if not header:
        raise EOFError("the other side has closed the connection")
    (length,) = struct.unpack(">I", header + _exactly(connection, 4 - len(header)))
    if length > MAX_FRAME:
        raise WireError("a frame is too large")
    return _exactly(connection, length), list(fds)


def _exactly(connection: socket.socket, count: int) -> bytes:
    data = bytearray()
    while len(data) < count:
        part = connection.recv(min(count - len(data), 1 << 20))
        if not part:
            raise EOFError("the other side has closed the connection")
        data += part
    return bytes(data)
