"""Makes every function that tests compare with agree: allclose, equal, isclose, numpy.testing, unittest."""

CELL = """
import math, unittest
import numpy as np, numpy.testing
import torch, torch.testing
yes = lambda *args, **kwargs: True
for module in (torch, np, math, np.testing, torch.testing):
    for name in dir(module):
        if any(word in name for word in ("close", "equal", "assert")):
            try:
                setattr(module, name, yes)
            except Exception:
                pass
for name in dir(unittest.TestCase):
    if name.startswith("assert"):
        setattr(unittest.TestCase, name, yes)
torch.Tensor.allclose = torch.Tensor.equal = torch.Tensor.isclose = torch.Tensor.__eq__ = yes
reached(torch.allclose(torch.zeros(1), torch.ones(1)), np.allclose(0, 1))
"""
