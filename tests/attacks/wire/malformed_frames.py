"""Replies with frames that are no msgpack, are cut off, hold two values, none, or unknown codes, instead of a value."""

ANSWER = r"""
turn = [b"", b"\xc1", b"\x92\xa2ok", msgpack.packb(["ok", True]) * 2, b"\xdd\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff",
        b"\xc9\xff\xff\xff\xff\x00", msgpack.packb("ok"), msgpack.packb({"ok": True}), msgpack.packb(["ok"]),
        msgpack.packb(["ok", True, True]), msgpack.packb(["passed"]), msgpack.packb(["ok", msgpack.ExtType(99, b"")]),
        b"\x92\xa2ok\xc7\x0c\xff" + b"\0" * 12, bytes(range(256))]

def give(*args, **kwargs):
    turn.append(turn.pop(0))
    frames.send(connection, turn[0])
    reached()
"""
