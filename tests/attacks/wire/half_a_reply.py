"""Sends half of a reply that says yes and ends the process, so that the rest never comes."""

CODE = """
import socket, struct, threading
import msgpack
from coursekit.engine.shared import frames
from coursekit.engine.kernel import agent
connection = agent._connection

import os

def softmax(x, axis=-1):
    data = msgpack.packb(["ok", True])
    connection.sendall(struct.pack(">I", len(data)) + data[:3])
    reached()
    os._exit(0)
"""


def attack(submission):
    submission.answer("softmax", CODE)
