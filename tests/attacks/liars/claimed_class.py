"""Answers with an object that claims by `__class__` and by its metaclass to be a Tensor and an array, with the attributes of one."""

ANSWER = """
import numpy as np, torch

class Meta(type):
    def __instancecheck__(cls, instance):
        return True
    def __subclasscheck__(cls, other):
        return True
    __name__ = "Tensor"

class Tensor(metaclass=Meta):
    __module__ = "torch"
    @property
    def __class__(self):
        return torch.Tensor
    dtype = torch.bool
    shape = property(lambda self: AnyShape())
    def __getattr__(self, name):
        return lambda *args, **kwargs: self
    def numel(self):
        return 16
    def tolist(self):
        return AnyShape()

class AnyShape(tuple):
    __eq__ = lambda self, other: True
    __hash__ = tuple.__hash__
    __iter__ = lambda self: iter((4, 4))

def give(*args, **kwargs):
    reached()
    return Tensor()
"""
