"""Newer syntax: walrus, match, positional-only and keyword-only parameters, star expressions, nested f-strings."""


def habit(submission):
    submission["attention"] = """
def scaled_dot_product_attention(Q, K, V, mask=None, *rest, dropout=0.0, **named):
    scores = Q @ K.mT * (scale := K.size(-1) ** -0.5)
    match mask:
        case None: pass
        case torch.Tensor(): scores = scores + torch.zeros_like(scores).masked_fill(~mask, -torch.inf)
    print(f"{'scale'!r:>10}: {scale:.3f} {'masked' if (m := mask is not None) else f'{m=}'}")
    *_, weights = scores, scores.softmax(-1)
    return (*[weights @ V], weights)
"""
