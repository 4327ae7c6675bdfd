"""One channel to a kernel, which is read only on request.

Kernels speak ZMTP, the protocol of ZeroMQ. libzmq would read whatever a kernel sends, and keep the parts of a message
until the last one arrives: a student's process, which can write to its end of the socket directly, could fill the
coordinator's memory. With this class, what is not read yet stays in the student's process.
"""

import contextlib
import os
import select
import socket
import struct
from collections.abc import Sequence

# Bytes that are kept of all parts of a message: a picture of 1.5 MiB in base64, and some text.
MAX_MESSAGE = 5 << 19
MAX_PARTS = 1000  # of one message
MAX_FRAMES = 50_000  # from one kernel: some 7,000 messages; a progress bar sends a few hundred
MAX_BYTES = 128 << 20  # from one kernel, kept or not: many times the output budget
SEND_SECONDS = 10  # a kernel that reads nothing for so long is lost

_MORE, _LONG, _COMMAND = 1, 2, 4
# Version 3.0, without encryption, as a client.
_GREETING = b"\xff" + bytes(8) + b"\x7f" + b"\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)


class Channel:
    """A connection to one of a kernel's sockets.

    Args:
        path: of the unix socket that listens.
        kind: DEALER or SUB. A SUB receives everything.

    Attributes:
        stopped: nothing more is read: the kernel sent too much, or is disconnected.
        disconnected: the kernel has closed its end.
    """

    def __init__(self, path: str, kind: str):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(path)
        self._socket.setblocking(False)
        self._data = bytearray()  # received, and not a complete message yet
        self._position = 0  # up to which it has been parsed
        self._parts: list[bytes] = []
        self._size = 0
        self._dropping = 0  # how many of the next bytes are dropped
        self._frames = self._bytes = 0  # received so far
        self.stopped = self.disconnected = False
        self._greeted = self._ready = False
        self._pending = _frame(b"\x01") if kind == "SUB" else b""  # to be sent once the kernel is ready
        ready = b"\x05READY\x0bSocket-Type" + struct.pack(">I", len(kind)) + kind.encode()
        self._write(_GREETING + _frame(ready, _COMMAND))

    def fileno(self) -> int:
        """The descriptor that is readable when data has arrived. A message may be complete before: see `has_frame`."""
        return self._socket.fileno()

    def has_frame(self) -> bool:
        """Whether a frame has been received, or the header of one that is too large to be kept."""
        return self._position < len(self._data) and self._header() is not None

    def poll(self, seconds: float = 0) -> bool:
        """Return whether `receive` has something to process, within `seconds`."""
        if self.has_frame():
            return True
        poller = select.poll()
        poller.register(self._socket, select.POLLIN)
        return bool(poller.poll(1000 * seconds))

    def send(self, parts: Sequence[bytes]) -> None:
        """Send one message. What a lost kernel does not read is dropped."""
        last = len(parts) - 1
        data = b"".join(_frame(part, _MORE * (index < last)) for index, part in enumerate(parts))
        if self._ready:
            self._write(data)
        else:
            self._pending += data

    def receive(self) -> list[bytes] | None:
        """Return the next message, or None when there is none yet.

        A part with which the message would be larger than MAX_MESSAGE is returned empty.
        """
        if not self.has_frame():
            try:
                data = self._socket.recv(1 << 18)
            except BlockingIOError:
                return None
            except OSError:
                data = b""
            self._bytes += len(data)
            self.disconnected = not data
            if not data or self._bytes > MAX_BYTES:
                self._stop()
                return None
            self._data += data
            self._drop()
        while (frame := self._next()) is not None:
            flags, body = frame
            self._frames += 1
            if self._frames > MAX_FRAMES:
                self._stop()
                return None
            if flags & _COMMAND:  # the first is the kernel's READY; before it nothing may be sent
                if not self._ready:
                    self._ready = True
                    self._write(self._pending)
                continue
            self._parts.append(body)
            self._size += len(body)
            if len(self._parts) > MAX_PARTS:
                self._stop()
                return None
            if not flags & _MORE:
                parts, self._parts, self._size = self._parts, [], 0
                return parts
        return None

    def close(self) -> None:
        self._socket.close()

    def _write(self, data: bytes) -> None:
        try:
            # Usually all of it at once: each system call releases the interpreter's lock and waits for it again.
            with contextlib.suppress(BlockingIOError):
                data = data[self._socket.send(data) :]
            if data:
                self._socket.settimeout(SEND_SECONDS)
                self._socket.sendall(data)
                self._socket.setblocking(False)
        except OSError as error:
            self.disconnected = isinstance(error, ConnectionError)
            self._stop()

    def _stop(self) -> None:
        """Read nothing more: further data stays in the kernel's memory.

        The descriptor stays open and is never readable again, since it may be registered in a poller.
        """
        self.stopped = True
        self._data.clear()
        self._parts.clear()
        self._position = self._size = self._dropping = 0
        self._socket.setblocking(False)
        never = os.eventfd(0)
        with contextlib.suppress(OSError):
            os.dup2(never, self._socket.fileno(), inheritable=False)
        os.close(never)

    def _header(self) -> tuple[int, int, int] | None:
        """Flags, begin and end of the next frame's body, if the frame has been received or is too large to be kept."""
        if not self._greeted:
            if len(self._data) < len(_GREETING):
                return None
            self._greeted, self._position = True, len(_GREETING)
        data, position, size = self._data, self._position, len(self._data)
        if size < position + 2:
            return None
        flags, length, begin = data[position], data[position + 1], position + 2
        if flags & _LONG:
            begin = position + 9
            if size < begin:
                return None
            (length,) = struct.unpack_from(">Q", data, position + 1)
        end = begin + length
        return (flags, begin, end) if size >= end or self._size + length > MAX_MESSAGE else None

    def _next(self) -> tuple[int, bytes] | None:
        """Flags and body of the next frame."""
        if (header := self._header()) is None:
            # Parsed data is deleted at once, not frame by frame.
            del self._data[: self._position]
            self._position = 0
            return None
        flags, begin, end = header
        if self._size + end - begin > MAX_MESSAGE:
            self._position, self._dropping = begin, end - begin
            self._drop()
            return flags, b""
        self._position = end
        return flags, bytes(memoryview(self._data)[begin:end])

    def _drop(self) -> None:
        """Delete what has been received of a body that is dropped."""
        count = min(self._dropping, len(self._data) - self._position)
        del self._data[self._position : self._position + count]
        self._dropping -= count


def _frame(body: bytes, flags: int = 0) -> bytes:
    if len(body) > 255:
        return struct.pack(">BQ", flags | _LONG, len(body)) + body
    return bytes((flags, len(body))) + body
