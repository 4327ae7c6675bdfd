"""Answers with arrays whose wrong entries are masked away; also matrices, records and object arrays."""

ANSWER = """
import numpy as np

class Yes:
    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = lambda self, other: True
    __sub__ = __rsub__ = __abs__ = lambda self, *other: 0.0
    __float__ = lambda self: 0.0

kinds = [
    lambda shape: np.ma.masked_all(shape),
    lambda shape: np.matrix(np.zeros(shape[-2:] if len(shape) > 1 else (1, 1))),
    lambda shape: np.full(shape, Yes(), dtype=object),
    lambda shape: np.zeros(shape, dtype=[("value", "f8")]),
    lambda shape: np.zeros(shape, dtype="M8[s]"),
    lambda shape: np.zeros(shape, dtype="f16"),
    lambda shape: np.ma.masked,
]

def give(first=None, *args, **kwargs):
    reached()
    kinds.append(kinds.pop(0))
    return kinds[0](tuple(getattr(first, "shape", (4, 4))))
"""
