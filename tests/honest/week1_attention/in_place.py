"""In-place operations on its own tensors, preallocated results, strided and expanded views given back."""


def habit(submission):
    submission["attention"] = """
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", Q, K)
    scores /= K.size(-1) ** 0.5
    if mask is not None:
        scores.masked_fill_(mask.logical_not(), -math.inf)
    scores -= scores.amax(-1, keepdim=True).detach()
    powers = scores.exp()
    weights = powers.div(powers.sum(-1, keepdim=True))
    return torch.einsum("...qk,...kd->...qd", weights, V), weights.mT.contiguous().mT
"""
    submission["causal_mask"] = """
def causal_mask(length):
    mask = torch.empty(2 * length, 2 * length, dtype=torch.bool).fill_(False)[::2, ::2]
    mask[torch.arange(length)[:, None] >= torch.arange(length)[None]] = True
    return mask.t().t()
"""
    submission["softmax"] = """
def softmax(x, axis=-1):
    x = np.asfortranarray(np.array(x, dtype=np.float64, copy=True))
    x -= x.max(axis, keepdims=True)
    np.exp(x, out=x)
    np.divide(x, x.sum(axis, keepdims=True), out=x)
    return x[..., ::-1][..., ::-1]
"""
