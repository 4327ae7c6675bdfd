"""Replies with lists, tuples and extension types nested ten thousand deep, so that their reader runs out of stack."""

ANSWER = r"""
def lists(depth):
    return b"\x92\xa2ok" + b"\x91" * depth + b"\xc0"

def tuples(depth):
    data = b"\x90"
    for _ in range(depth):
        data = msgpack.packb(msgpack.ExtType(0, b"\x91" + data))
    return b"\x92\xa2ok" + data

turn = [lists(10_000), lists(1_000_000), tuples(39), tuples(2_000), b"\x81" * 100_000, b"\x92\xa2ok" + b"\x81\xc0" * 600 + b"\xc0"]

def give(*args, **kwargs):
    turn.append(turn.pop(0))
    if len(turn[0]) % 2:
        deep = []
        for _ in range(100_000):
            deep = [deep]
        return deep
    frames.send(connection, turn[0])
    reached()
"""
QUESTIONS = ("causal_mask", "scaling")
