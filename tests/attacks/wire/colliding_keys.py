"""Replies with sets and dicts of integers that all have the same hash, so that reading them takes the square of their number."""

ANSWER = """
def big(number):
    return msgpack.ExtType(3, msgpack.packb(number.to_bytes(number.bit_length() // 8 + 1, "big", signed=True)))

keys = [big(i * (2**61 - 1) << 70) for i in range(1, 6_000)]
turn = [msgpack.packb(["ok", msgpack.ExtType(1, msgpack.packb(keys))]), msgpack.packb(["ok", {"softmax": dict.fromkeys(keys, 0)}])]

def give(*args, **kwargs):
    turn.append(turn.pop(0))
    frames.send(connection, turn[0])
    reached()
"""
QUESTIONS = ("causal_mask", "scaling")
