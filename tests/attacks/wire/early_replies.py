"""Writes the replies to all requests of the next tests into the socket before they are asked: yes to everything."""

CODE = """
import socket, struct, threading
import msgpack
from coursekit.engine.shared import frames
from coursekit.engine.kernel import agent
connection = agent._connection

for _ in range(100):  # more would not fit, and wait for a reader
    frames.send(connection, msgpack.packb(["ok", True]))
reached()
"""


def attack(submission):
    submission.add(CODE)
