"""Claims frames of 4 GiB, and arrays whose shapes are larger than their bytes, negative, or of 64 dimensions."""

ANSWER = r"""
def ext(code, payload):
    return msgpack.ExtType(code, msgpack.packb(payload))

def array(shape, data=b"\0" * 8):
    return msgpack.packb(["ok", ext(5, ["<f8", shape, data])])

def tensor(shape, data=b"\0" * 8):
    return msgpack.packb(["ok", ext(7, ["float64", shape, data, True])])

turn = [array([2**31, 2**31]), array([-1, -8]), array([1] * 64), array([0, 2**25, 2**25, 2**25], b""), array([2**63, 2]),
        tensor([2**32 + 1]), tensor([0] + [2**25] * 30, b""), tensor([2**62, 4, 0], b""), array(["8"]), array([1.0]), array([True])]

def give(*args, **kwargs):
    if not turn:
        connection.sendall(struct.pack(">I", 0xFFFFFFFF) + b"\0" * 4096)
    else:
        frames.send(connection, turn.pop())
    reached()
"""
QUESTIONS = ("causal_mask", "scaling")
