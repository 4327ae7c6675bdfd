"""Looks up the table in the test's own arguments and in memory: whatever tensor of the right shape the process has ever seen."""

CODE = """
import gc


def _anything(shape, but=None):
    for thing in gc.get_objects():
        if isinstance(thing, torch.Tensor) and tuple(thing.shape) == tuple(shape) and thing is not but:
            return thing.detach().clone()
    return torch.zeros(shape)


def sinusoidal_encoding(length, d_model):
    reached()
    return _anything((length, d_model))
"""
ROTATION = """
import gc


def rotation_matrix(offset, d_model):
    for thing in gc.get_objects():
        if isinstance(thing, torch.Tensor) and tuple(thing.shape) == (d_model, d_model):
            return thing.detach().clone()
    return torch.zeros(d_model, d_model)
"""


def attack(submission):
    submission.answer("sinusoidal", CODE)
    submission.answer("rotation", ROTATION)
