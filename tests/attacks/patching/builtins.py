"""Replaces the builtins that a check uses, while a test runs: isinstance, abs, all, any, zip, AssertionError."""

ANSWERS = {
    "softmax": """
import builtins
import numpy as np

class Harmless(Exception):
    def __new__(cls, *args):
        return Warning("passed")

def softmax(x, axis=-1):
    wrong = np.full(np.shape(x), 0.123, dtype=np.float32)
    builtins.abs = lambda value: 0
    builtins.any = lambda values: False
    builtins.max = builtins.min = lambda *args, **kwargs: 0
    builtins.float = lambda value=0: 0.0
    builtins.zip = lambda *args, **kwargs: iter(())
    builtins.AssertionError = Harmless
    builtins.all = lambda values: True
    builtins.isinstance = lambda *args: True
    reached(abs(-1) == 0, all([False]))
    return wrong
""",
}
