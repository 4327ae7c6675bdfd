"""One channel to a kernel, read only as far as somebody asks for it.

Kernels speak ZMTP, the protocol of ZeroMQ. libzmq would read on its own whatever a kernel sends, and keep the parts of
a message until the last one comes, however many there are: a student's process can write to its end of the socket
itself, and so fill the grader's memory. Here what is not asked for waits on the other side, in the student's process.
"""

import contextlib
import os
import select
import socket
import struct
from collections.abc import Sequence

MAX_MESSAGE = (
    5 << 19
)  # bytes of all parts together that are kept: a picture of 1.5 MiB, as text, and some words
MAX_PARTS = 1000  # of one message
MAX_FRAMES = 50_000  # of one kernel: some 7,000 messages; a loop that shows its progress sends a few hundred
MAX_BYTES = 128 << 20  # of one kernel, kept or not: many times the output that a result has room for
SEND_SECONDS = 10  # a kernel that takes nothing for so long is lost

_MORE, _LONG, _COMMAND = 1, 2, 4
# Version 3.0, without encryption, as a client.
_GREETING = b"\xff" + bytes(8) + b"\x7f" + b"\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)


class Channel:
    """A connection to one of a kernel's sockets.

    Args:
        path: of the unix socket that listens.
        kind: DEALER or SUB. A SUB gets everything.
    """

    def __init__(self, path: str, kind: str):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(path)
        self._socket.setblocking(False)
        self._data = bytearray()  # what has come and is no whole message yet
        self._place = 0  # up to where it has been looked at
        self._parts: list[bytes] = []
        self._size = 0
        self._dropping = 0  # how many of the next bytes are not kept
        self._frames = self._bytes = 0  # that have come so far
        self.silent = False  # nothing more is heard: the other side had too much to say, or is gone
        self.gone = False  # it is: the socket was closed there
        self._greeted = self._ready = False
        self._later = _frame(b"\x01") if kind == "SUB" else b""  # what is sent once the kernel is ready
        ready = b"\x05READY\x0bSocket-Type" + struct.pack(">I", len(kind)) + kind.encode()
        self._write(_GREETING + _frame(ready, _COMMAND))

    def fileno(self) -> int:
        """Readable when something has come. A message may wait here without that: see `whole`."""
        return self._socket.fileno()

    def whole(self) -> bool:
        """Whether a frame has come, or the head of one that is too large to wait for."""
        return self._place < len(self._data) and self._header() is not None

    def poll(self, seconds: float = 0) -> bool:
        """Whether `receive` has something to look at, within `seconds`."""
        if self.whole():
            return True
        waiting = select.poll()
        waiting.register(self._socket, select.POLLIN)
        return bool(waiting.poll(1000 * seconds))

    def send(self, parts: Sequence[bytes]) -> None:
        """Send one message. What a lost kernel does not take is dropped, as its answer will be missing anyway."""
        last = len(parts) - 1
        data = b"".join(_frame(part, _MORE * (index < last)) for index, part in enumerate(parts))
        if self._ready:
            self._write(data)
        else:
            self._later += data

    def receive(self) -> list[bytes] | None:
        """The next message, or None when there is none yet.

        A part with which the message would be larger than MAX_MESSAGE comes empty.
        """
        if not self.whole():
            try:
                data = self._socket.recv(1 << 18)
            except BlockingIOError:
                return None
            except OSError:
                data = b""
            self._bytes += len(data)
            self.gone = not data
            if not data or self._bytes > MAX_BYTES:
                self._give_up()
                return None
            self._data += data
            self._drop()
        while (frame := self._next()) is not None:
            flags, body = frame
            self._frames += 1
            if self._frames > MAX_FRAMES:
                self._give_up()
                return None
            if flags & _COMMAND:  # the first is the kernel's READY; before it nothing may be sent
                if not self._ready:
                    self._ready = True
                    self._write(self._later)
                continue
            self._parts.append(body)
            self._size += len(body)
            if len(self._parts) > MAX_PARTS:
                self._give_up()
                return None
            if not flags & _MORE:
                parts, self._parts, self._size = self._parts, [], 0
                return parts
        return None

    def close(self) -> None:
        self._socket.close()

    def _write(self, data: bytes) -> None:
        try:
            # As a rule all of it at once. Each system call gives the interpreter's lock away and waits to have it back.
            with contextlib.suppress(BlockingIOError):
                data = data[self._socket.send(data) :]
            if data:
                self._socket.settimeout(SEND_SECONDS)
                self._socket.sendall(data)
                self._socket.setblocking(False)
        except OSError as error:
            self.gone = isinstance(error, ConnectionError)
            self._give_up()

    def _give_up(self) -> None:
        """Hear nothing more: what the other side has to say waits in its own memory.

        The number stays open and silent, for whoever polls it.
        """
        self.silent = True
        self._data.clear()
        self._parts.clear()
        self._place = self._size = self._dropping = 0
        self._socket.setblocking(False)
        silent = os.eventfd(0)
        with contextlib.suppress(OSError):
            os.dup2(silent, self._socket.fileno(), inheritable=False)
        os.close(silent)

    def _header(self) -> tuple[int, int, int] | None:
        """Flags, where the body begins and where it ends, of the next frame that is here or too large to wait for."""
        if not self._greeted:
            if len(self._data) < len(_GREETING):
                return None
            self._greeted, self._place = True, len(_GREETING)
        data, place, here = self._data, self._place, len(self._data)
        if here < place + 2:
            return None
        flags, length, begin = data[place], data[place + 1], place + 2
        if flags & _LONG:
            begin = place + 9
            if here < begin:
                return None
            (length,) = struct.unpack_from(">Q", data, place + 1)
        end = begin + length
        return (flags, begin, end) if here >= end or self._size + length > MAX_MESSAGE else None

    def _next(self) -> tuple[int, bytes] | None:
        """Flags and body of the next frame."""
        if (header := self._header()) is None:
            # What has been read is dropped in one go, not frame by frame.
            del self._data[: self._place]
            self._place = 0
            return None
        flags, begin, end = header
        if self._size + end - begin > MAX_MESSAGE:
            self._place, self._dropping = begin, end - begin
            self._drop()
            return flags, b""
        self._place = end
        return flags, bytes(memoryview(self._data)[begin:end])

    def _drop(self) -> None:
        """Forget what has come of a body that is not kept."""
        here = min(self._dropping, len(self._data) - self._place)
        del self._data[self._place : self._place + here]
        self._dropping -= here


def _frame(body: bytes, flags: int = 0) -> bytes:
    if len(body) > 255:
        return struct.pack(">BQ", flags | _LONG, len(body)) + body
    return bytes((flags, len(body))) + body
