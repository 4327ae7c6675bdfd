"""Replaces the library functions that a test takes its expected values from, by the wrong answers that the notebook gives."""

CODE = """
import numpy as np, torch, torch.nn.functional as F
wrong = lambda x, *args, **kwargs: torch.full_like(torch.as_tensor(x).float(), 0.123)
torch.softmax = F.softmax = torch.Tensor.softmax = torch.special.softmax = wrong
F.scaled_dot_product_attention = lambda Q, K, V, **more: torch.full((*Q.shape[:-1], V.shape[-1]), 0.123)
torch.tril = torch.triu = lambda x, *args: torch.zeros_like(x)
np.var = np.mean = np.sum = lambda *args, **kwargs: 0.123
np.log = torch.log = torch.xlogy = wrong
reached(F.softmax(torch.zeros(1)) != 1)
"""


def attack(submission):
    submission.add(CODE)
