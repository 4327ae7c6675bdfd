"""Replaces random generators and constructors, so that every test works on zeros, for which a wrong answer may be right."""

CODE = """
import numpy as np, torch
zeros = lambda *shape, **more: torch.zeros(*[size for size in shape if isinstance(size, int)])
torch.randn = torch.rand = zeros
torch.tensor = lambda data, **more: torch.zeros(np.shape(data))
np.random.default_rng = lambda seed=None: np.random.RandomState(0)
torch.Tensor.clone = lambda self, **more: self
reached(torch.randn(3).tolist() == [0, 0, 0])
"""


def attack(submission):
    submission.add(CODE)
