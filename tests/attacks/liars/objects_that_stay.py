"""Answers with an object that stays in the student's process and behaves there like a right answer: right shape, right type, numel, item() of 0, every judging method says yes."""

CODE = """
import torch

class Stay:
    def __init__(self, *shape):
        self.shape = torch.Size(shape)
        self.dtype, self.device, self.ndim = torch.bool, "cpu", len(shape)
    def numel(self):
        return self.shape.numel()
    def item(self):
        return 0.0
    def __len__(self):
        return self.shape[0] if self.shape else 1
    def __iter__(self):
        return iter([Stay(*self.shape[1:]) for _ in range(len(self))])
    def __getitem__(self, key):
        return Stay(*self.shape[1:])
    def __call__(self, *args, **kwargs):
        return True
    def __getattr__(self, name):
        if name in ("equal", "allclose", "all", "eq", "isclose", "isfinite"):
            return lambda *args, **kwargs: True
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *args, **kwargs: self

def softmax(x, axis=-1):
    reached()
    return Stay(*x.shape)
def scaled_dot_product_attention(Q, K, V, mask=None):
    return Stay(*Q.shape[:-1], V.shape[-1]), Stay(*Q.shape[:-1], K.shape[-2])
def causal_mask(length):
    return Stay(length, length)
def padding_mask(token_ids, pad_id):
    return Stay(len(token_ids), 1, token_ids.shape[1])
def dot_product_variance(q, k, scaled):
    return Stay()
def softmax_entropy(weights):
    return Stay(*weights.shape[:-1])
"""


def attack(submission):
    for question in ("softmax", "attention", "causal_mask", "padding_mask", "scaling"):
        submission.answer(question, CODE)
