"""Sends open file descriptors and out-of-band data along the socket to the examiner, and asks for its credentials."""

CELL = r"""
import os
for attempt in (
    lambda: socket.send_fds(connection, [msgpack.packb(["ok", True])], [0, 1, 2, connection.fileno()]),
    lambda: connection.send(b"x", socket.MSG_OOB),
    lambda: print(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)),
    lambda: print(connection.getpeername(), connection.getsockname()),
    lambda: connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 30),
    lambda: print(socket.recv_fds(connection, 10, 4)) if False else None,
    lambda: connection.connect("\0elsewhere"),
):
    try:
        attempt()
    except Exception as error:
        print(type(error).__name__)
reached()
"""
BEFORE = "scaling"
