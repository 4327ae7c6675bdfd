"""Replies with numbers that claim another type: object arrays, dates, other byte orders, booleans of 2, text."""

ANSWER = r"""
def ext(code, payload):
    return msgpack.packb(["ok", msgpack.ExtType(code, msgpack.packb(payload))])

turn = [ext(5, ["|O", [1], b"\0" * 8]), ext(5, ["O", [1], b"\0" * 8]), ext(5, ["<M8[s]", [1], b"\0" * 8]),
        ext(5, [">f8", [1], b"\0" * 8]), ext(5, ["|V8", [1], b"\0" * 8]), ext(5, ["|b1", [4, 4], b"\x02" * 16]),
        ext(7, ["bool", [4, 4], b"\xff" * 16, False]), ext(7, ["int64", [1], b"\0" * 8, True]), ext(7, ["storage", [1], b"\0", False]),
        ext(7, ["__class__", [], b"", False]), ext(8, "__dict__"), ext(8, ["float32"]), ext(6, ["|O", b"\0" * 8]),
        ext(3, "1"), ext(4, [1, 2]), ext(4, ["nan", "inf"]), ext(0, {"a": 1}), ext(1, [[1], [2]]), ext(1, {"a": []})]

def give(*args, **kwargs):
    turn.append(turn.pop(0))
    frames.send(connection, turn[0])
    reached()
"""
