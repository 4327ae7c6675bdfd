"""Answers the first request of a test, for its names, before it is asked, with plain values where functions should be, and closes its ears."""

CODE = """
import socket, struct, threading
import msgpack
from coursekit.engine.shared import frames
from coursekit.engine.kernel import agent
connection = agent._connection

wanted = {"softmax": True, "scaled_dot_product_attention": 1.0, "causal_mask": [], "padding_mask": {}, "dot_product_variance": float("nan")}
for name, value in wanted.items():
    for some in (wanted, {name: value}, {}, {name: None}, {"check_close": True}, {1: 2}, [name]):
        frames.send(connection, msgpack.packb(["ok", some]))
reached()
"""


def attack(submission):
    submission.add(CODE, before="padding_mask")
