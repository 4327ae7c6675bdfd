"""One channel to a kernel. It is read only on request.

Kernels speak ZMTP, the protocol of ZeroMQ. libzmq would read whatever a kernel sends, and keep the parts of a message
until the last one arrives: a student's process, which can write to its end of the socket directly, could fill the
coordinator's memory. With this class, data that is not read yet stays in the student's process.
"""

import contextlib
import os
import select
import socket
import struct
from collections.abc import Sequence

# Bytes that are kept of one message: a picture of 1.5 MiB in base64, and some text.
MAX_MESSAGE = 5 << 19
MAX_PARTS = 1000  # of one message
MAX_FRAMES = 50_000  # on one channel: some 7,000 messages; a progress bar sends a few hundred
MAX_BYTES = 128 << 20  # received on one channel, kept or not: many times the output budget
SEND_SECONDS = 10  # a channel on which sending a message takes longer is stopped

_MORE, _LONG, _COMMAND = 1, 2, 4
# Version 3.0, without encryption, as a client.
_GREETING = b"\xff" + bytes(8) + b"\x7f" + b"\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)


class Channel:
    """A connection to one of a kernel's sockets.

    Args:
        path: of the listening Unix socket.
        kind: DEALER or SUB. A SUB receives everything.

    Attributes:
        stopped: nothing more is read or sent: the kernel sent too much, did not read, or is disconnected.
        disconnected: the connection was closed or broken when it was last used.
    """

    def __init__(self, path: str, kind: str):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(path)
        self._socket.setblocking(False)
        self._data = bytearray()  # received, and not parsed yet
        self._position = 0  # up to which `_data` has been parsed
        self._parts: list[bytes] = []
        self._size = 0  # bytes of `_parts`
        self._to_drop = 0  # how many of the next bytes are dropped
        self._frames = self._bytes = 0  # received so far
        self.stopped = self.disconnected = False
        self._greeted = self._ready = False
        self._pending = _frame(b"\x01") if kind == "SUB" else b""  # to be sent once the kernel is ready
        ready = b"\x05READY\x0bSocket-Type" + struct.pack(">I", len(kind)) + kind.encode()
        self._write(_GREETING + _frame(ready, _COMMAND))

    def fileno(self) -> int:
        """Return the descriptor, readable when new data has arrived. For earlier data, see `has_frame`."""
        return self._socket.fileno()

    def has_frame(self) -> bool:
        """Return whether a frame has been received, or the header of one that is too large to be kept."""
        return self._position < len(self._data) and self._header() is not None

    def poll(self, seconds: float = 0) -> bool:
        """Return whether `receive` has something to process, after at most `seconds`."""
        if self.has_frame():
            return True
        poller = select.poll()
        poller.register(self._socket, select.POLLIN)
        return bool(poller.poll(1000 * seconds))

    def send(self, parts: Sequence[bytes]) -> None:
        """Send one message, once the kernel is ready. An error does not raise: it stops the channel."""
        if self.stopped:
            return
        last = len(parts) - 1
        data = b"".join(_frame(part, _MORE * (index < last)) for index, part in enumerate(parts))
        if self._ready:
            self._write(data)
        else:
            self._pending += data

    def receive(self) -> list[bytes] | None:
        """Return the next message; None if it is not complete yet, or if the channel has stopped.

        A part with which the message would be larger than MAX_MESSAGE is returned empty.
        """
        if self.stopped:
            return None
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
            # Usually one call sends everything: each system call releases the GIL and waits for it again.
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
        """Close the connection, and drop the data received.

        The descriptor, which may be registered in a poller, stays open and is never readable again.
        """
        self.stopped = True
        self._data.clear()
        self._parts.clear()
        self._position = self._size = self._to_drop = 0
        self._socket.setblocking(False)
        never_readable = os.eventfd(0)
        with contextlib.suppress(OSError):
            os.dup2(never_readable, self._socket.fileno(), inheritable=False)
        os.close(never_readable)

    def _header(self) -> tuple[int, int, int] | None:
        """Return flags, begin and end of the next body; None if it is incomplete and not too large to be kept."""
        if not self._greeted:
            if len(self._data) < len(_GREETING):
                return None
            self._greeted, self._position = True, len(_GREETING)
        data, position, received = self._data, self._position, len(self._data)
        if received < position + 2:
            return None
        flags, length, begin = data[position], data[position + 1], position + 2
        if flags & _LONG:
            begin = position + 9
            if received < begin:
                return None
            (length,) = struct.unpack_from(">Q", data, position + 1)
        end = begin + length
        return (flags, begin, end) if received >= end or self._size + length > MAX_MESSAGE else None

    def _next(self) -> tuple[int, bytes] | None:
        """Return flags and body of the next frame, b"" if the body is too large; None if it is incomplete."""
        if (header := self._header()) is None:
            # Parsed data is deleted all together, not frame by frame.
            del self._data[: self._position]
            self._position = 0
            return None
        flags, begin, end = header
        if self._size + end - begin > MAX_MESSAGE:
            self._position, self._to_drop = begin, end - begin
            self._drop()
            return flags, b""
        self._position = end
        return flags, bytes(memoryview(self._data)[begin:end])

    def _drop(self) -> None:
        """Delete the received bytes of a body that is dropped."""
        count = min(self._to_drop, len(self._data) - self._position)
        del self._data[self._position : self._position + count]
        self._to_drop -= count


def _frame(body: bytes, flags: int = 0) -> bytes:
    if len(body) > 255:
        return struct.pack(">BQ", flags | _LONG, len(body)) + body
    return bytes((flags, len(body))) + body
