"""Sends half of a reply that says yes and ends the process, so that the rest never comes."""

ANSWERS = {
    "softmax": """
import os

def softmax(x, axis=-1):
    data = msgpack.packb(["ok", True])
    connection.sendall(struct.pack(">I", len(data)) + data[:3])
    reached()
    os._exit(0)
""",
}
