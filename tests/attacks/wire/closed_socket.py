"""Closes its end of the socket to the examiner, puts another file in its place and waits."""

CODE = """
import socket, struct, threading
import msgpack
from coursekit.engine.shared import frames
from coursekit.engine.kernel import agent
connection = agent._connection

import os
number = connection.fileno()
connection.shutdown(socket.SHUT_WR)
connection.close()
os.close(number) if False else None
os.dup2(os.open(os.devnull, os.O_RDWR), number)
agent._connection = open(os.devnull, "r+b", buffering=0)
reached()
"""


def attack(submission):
    submission.add(CODE, before="scaling")
