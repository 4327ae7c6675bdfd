"""Answers with a subclass of Tensor whose `__torch_function__` answers every question, also comparisons, with yes or with the other operand."""

ANSWER = """
import torch

class Liar(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        name = getattr(function, "__name__", "")
        if name in ("allclose", "equal", "all", "any", "__bool__", "is_floating_point"):
            return True
        if name in ("eq", "ne", "lt", "le", "gt", "ge", "isclose", "isfinite"):
            return torch.ones((), dtype=torch.bool)
        others = [item for item in args if type(item) is torch.Tensor]
        return others[0] if others else super().__torch_function__(function, types, args, kwargs or {})
    def numpy(self, *args, **kwargs):
        return self

def liar(*shape):
    return torch.zeros(*shape).as_subclass(Liar)

def softmax(x, axis=-1):
    reached()
    return liar(*x.shape)
def scaled_dot_product_attention(Q, K, V, mask=None):
    return liar(*Q.shape[:-1], V.shape[-1]), liar(*Q.shape[:-1], K.shape[-2])
def causal_mask(length):
    return liar(length, length)
def padding_mask(token_ids, pad_id):
    return liar(len(token_ids), 1, token_ids.shape[1])
def dot_product_variance(q, k, scaled):
    return liar()
def softmax_entropy(weights):
    return liar(*weights.shape[:-1])
"""
