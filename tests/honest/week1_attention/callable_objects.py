"""Objects with __call__, functools.partial, static methods and bound methods where functions are asked for."""


def habit(submission):
    submission["softmax"] = """
class Softmax:
    def __init__(self, base=math.e): self.base = base
    def __call__(self, x, axis=-1):
        powers = self.base ** (x - x.max(axis=axis, keepdims=True)).astype(float)
        return powers / powers.sum(axis=axis, keepdims=True)
softmax = Softmax()
"""
    submission["causal_mask"] = (
        "class Masks:\n    @staticmethod\n    def causal(length, *, kind): return torch.ones(length, length).tril().to(kind)\n"
        "from functools import partial\ncausal_mask = partial(Masks.causal, kind=torch.bool)"
    )
    submission["padding_mask"] = (
        "class Padding:\n    def mask(self, token_ids, pad_id): return token_ids.ne(pad_id).unsqueeze(-2)\n"
        "padding_mask = Padding().mask"
    )
