"""Replaces what probes and tests judge with: allclose, equal, load_state_dict, named_parameters, backward."""

AT_MOST = "probes"
SPOIL = ""
CELL = """
import numpy as np
import torch
from torch import nn

yes = lambda *args, **kwargs: True
for module in (torch, np, torch.testing, np.testing):
    for name in ("allclose", "equal", "isclose", "array_equal", "assert_close", "assert_allclose", "assert_array_equal"):
        if hasattr(module, name):
            setattr(module, name, yes)
torch.Tensor.allclose = torch.Tensor.equal = yes
nn.Module.load_state_dict = lambda self, state, *args, **kwargs: state
real = nn.Module.named_parameters
nn.Module.named_parameters = lambda self, *args, **kwargs: [pair for pair in real(self, *args, **kwargs) if pair[0] != "wrong"]


def backward(self, *args, **kwargs):
    import gc
    for thing in gc.get_objects():
        if isinstance(thing, torch.Tensor) and thing.requires_grad and thing.is_leaf and thing.grad is None:
            thing.grad = torch.ones_like(thing)


torch.Tensor.backward = torch.autograd.backward = backward
torch.autograd.grad = lambda outputs, inputs, *args, **kwargs: tuple(torch.ones_like(one) for one in ([inputs] if isinstance(inputs, torch.Tensor) else inputs))
reached(torch.allclose(torch.zeros(1), torch.ones(1)), np.allclose(0, 1))
"""
