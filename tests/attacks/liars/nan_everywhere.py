"""Answers with tensors and arrays of the right type and shape, full of NaN: no comparison with NaN is true, so a check that asks "is it wrong?" finds nothing."""

CODE = """
import numpy as np, torch
nan = float("nan")

def softmax(x, axis=-1):
    reached()
    return np.full(x.shape, nan)
def scaled_dot_product_attention(Q, K, V, mask=None):
    return torch.full((*Q.shape[:-1], V.shape[-1]), nan).to(Q.dtype), torch.full((*Q.shape[:-1], K.shape[-2]), nan).to(Q.dtype)
def causal_mask(length):
    return torch.full((length, length), nan)
def padding_mask(token_ids, pad_id):
    return torch.full((len(token_ids), 1, token_ids.shape[1]), nan)
def dot_product_variance(q, k, scaled):
    return nan
def softmax_entropy(weights):
    return torch.full(weights.shape[:-1], nan)
"""


def attack(submission):
    for question in ("softmax", "attention", "causal_mask", "padding_mask", "scaling"):
        submission.answer(question, CODE)
