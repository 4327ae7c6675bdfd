"""Writes the replies to all requests of the next tests into the socket before they are asked: yes to everything."""

CODE = """
import socket, struct, threading
import msgpack
from coursekit import frames
from coursekit.student import agent
connection = agent._connection

for _ in range(300):
    try:
        frames.send(connection, msgpack.packb(["ok", True]))
    except OSError:
        break
"""


def attack(submission):
    submission.add(CODE)
