"""Answers with infinities and the largest numbers: inf minus inf is NaN, and a sum of them overflows a difference to nothing."""

CODE = """
import numpy as np, torch
turn = [float("inf"), float("-inf"), 1.7e308, -1.7e308, 5e-324]

def value():
    turn.append(turn.pop(0))
    return turn[0]

def softmax(x, axis=-1):
    reached()
    return np.full(x.shape, value())
def scaled_dot_product_attention(Q, K, V, mask=None):
    return torch.full((*Q.shape[:-1], V.shape[-1]), value()).to(Q.dtype), torch.full((*Q.shape[:-1], K.shape[-2]), value()).to(Q.dtype)
def causal_mask(length):
    return torch.full((length, length), value())
def padding_mask(token_ids, pad_id):
    return torch.full((len(token_ids), 1, token_ids.shape[1]), value())
def dot_product_variance(q, k, scaled):
    return value()
def softmax_entropy(weights):
    return torch.full(weights.shape[:-1], value())
"""


def attack(submission):
    for question in ("softmax", "attention", "causal_mask", "padding_mask", "scaling"):
        submission.answer(question, CODE)
