"""Replies with references to objects that do not exist, and with functions of the test in place of data."""

ANSWER = """
def reference(code, number, name):
    return msgpack.packb(["ok", msgpack.ExtType(code, msgpack.packb([number, name]))])

turn = [reference(10, -1, "int"), reference(10, 2**63, "Tensor"), reference(10, 0, "x" * 100_000), reference(11, 0, "check_close"),
        reference(11, -1, "exec"), reference(12, 0, "os.system"), reference(10, 1.5, "Tensor"), reference(10, 0, 7), reference(10, True, "Tensor"),
        reference(10, 10**6, "Tensor")]

def give(*args, **kwargs):
    turn.append(turn.pop(0))
    frames.send(connection, turn[0])
    reached()
"""
QUESTIONS = ("causal_mask", "scaling")
