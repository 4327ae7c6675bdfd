"""Answers with a subclass of ndarray whose ufuncs and functions always find a difference of nothing."""

ANSWER = """
import numpy as np

class Liar(np.ndarray):
    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return np.zeros(self.shape)
    def __array_function__(self, function, types, args, kwargs):
        return True
    def __array_wrap__(self, *args):
        return np.zeros(self.shape)
    def __eq__(self, other):
        return np.True_
    __lt__ = __le__ = __gt__ = __ge__ = __ne__ = __eq__
    __hash__ = None
    def astype(self, *args, **kwargs):
        return self

def give(first, *args, **kwargs):
    reached()
    return np.full(getattr(first, "shape", (1,)), 0.5).view(Liar)
"""
