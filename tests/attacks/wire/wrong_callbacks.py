"""Calls functions of the test back at the wrong time: functions never sent, wrong names, ten thousand calls."""

ANSWER = """
turn = [["call", 0, [], {}], ["call", -1, [], {}], ["call", 2**40, [1], {}], ["call", True, [], {}], ["call", 0, [], {1: 2}],
        ["call", 0, [], {"self": 1}], ["call", 0, (), {}], ["return", True], ["raise", "StopIteration"], ["stop"], ["bye"], ["error", [], "", ""],
        ["error", ["StopIteration"], "passed", ""], ["error", [1, None], "", ""], ["error", ["x" * 10_000_000], "y" * 10_000_000, "z"]]

def give(*args, **kwargs):
    turn.append(turn.pop(0))
    for _ in range(10_000 if turn[0] == ["stop"] else 1):
        frames.send(connection, msgpack.packb(turn[0]))
    reached()
"""
