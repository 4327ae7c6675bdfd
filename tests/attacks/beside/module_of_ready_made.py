"""Hands in a module that holds torch's own attention, softmax and variance in a list, and answers by it."""

MODULE = b"""
import torch
from torch.nn.functional import scaled_dot_product_attention, softmax as ready_softmax
from torch import var, tril

READY = [scaled_dot_product_attention, ready_softmax, torch.softmax, torch.Tensor.softmax, var]


def soft(x, axis=-1):
    return READY[2](torch.as_tensor(x), axis).numpy()


def attend(Q, K, V, mask=None):
    weights = READY[1](Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5, -1)
    return READY[0](Q, K, V, attn_mask=mask), weights
"""
FILES = {"ready_made.py": MODULE}
ANSWERS = {
    "softmax": "from ready_made import soft as softmax\nreached()",
    "attention": "from ready_made import attend as scaled_dot_product_attention\nreached()",
}
