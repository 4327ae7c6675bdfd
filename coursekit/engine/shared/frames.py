"""Frames: how many bytes, then the bytes, over a socket, with file descriptors beside them if any.

Every conversation between the engine's processes is made of them. What is in a frame is its sender's business:
msgpack between our own processes, `wire.Codec` where a student's process has a hand in it.
"""

import socket
import struct

MAX_FRAME = 32 * 1024 * 1024  # bytes; the tensors of a test are far smaller


class WireError(Exception):
    """A frame that is not what the protocol allows. The connection it came from cannot be trusted further."""


def set_time_out(connection: socket.socket, seconds: int) -> None:
    """Have `send` and `receive` raise BlockingIOError where one of their system calls waits longer than `seconds`.

    The socket blocks. With its own `settimeout`, each system call is two, and the interpreter's lock is given away for
    both.
    """
    value = struct.pack("@ll", seconds, 0)
    for option in (socket.SO_SNDTIMEO, socket.SO_RCVTIMEO):
        connection.setsockopt(socket.SOL_SOCKET, option, value)


def send(connection: socket.socket, data: bytes, fds: tuple[int, ...] = ()) -> None:
    """Write one frame, with file descriptors beside it if any.

    Raises:
        OSError: the other side is gone.
    """
    header = struct.pack(">I", len(data))
    if fds:
        socket.send_fds(connection, [header], list(fds))
        connection.sendall(data)
    else:
        connection.sendall(header + data)


def receive(connection: socket.socket, most: int = MAX_FRAME) -> bytes:
    """Read one frame.

    Args:
        most: bytes that it may have.

    Raises:
        EOFError: the other side is gone.
        WireError: the frame is larger than a frame may be.
        OSError: the connection broke, or its time-out passed.
    """
    (length,) = struct.unpack(">I", _exactly(connection, 4))
    if length > most:
        raise WireError("a frame is too large")
    return _exactly(connection, length)


def receive_reply(connection: socket.socket, most: int) -> bytes:
    """Read one frame, where the other side sends no more until it is answered: mostly one system call.

    Raises:
        EOFError, WireError, OSError: as `receive`; also a WireError where something comes behind it.
    """
    data = connection.recv(1 << 13)
    if not data:
        raise EOFError("the other side is gone")
    if len(data) < 4:
        data += _exactly(connection, 4 - len(data))
    (length,) = struct.unpack_from(">I", data)
    missing = length + 4 - len(data)
    if length > most or missing < 0:
        raise WireError("a reply is larger than it may be, or than it says")
    return data[4:] + _exactly(connection, missing) if missing else data[4:]


def receive_with_fds(connection: socket.socket, most: int) -> tuple[bytes, list[int]]:
    """Read one frame and the file descriptors that came with it."""
    header, fds, _, _ = socket.recv_fds(connection, 4, most)
    if not header:
        raise EOFError("the other side is gone")
    (length,) = struct.unpack(">I", header + _exactly(connection, 4 - len(header)))
    if length > MAX_FRAME:
        raise WireError("a frame is too large")
    return _exactly(connection, length), list(fds)


def _exactly(connection: socket.socket, count: int) -> bytes:
    parts = bytearray()
    while len(parts) < count:
        part = connection.recv(min(count - len(parts), 1 << 20))
        if not part:
            raise EOFError("the other side is gone")
        parts += part
    return bytes(parts)
