"""numpy_block: einsum for the products and the sums.

Question: numpy_block
"""


def layer_norm_numpy(x, gamma, beta, eps=1e-5):
    d = x.shape[-1]
    c = x - np.einsum("...d->...", x)[..., None] / d
    v = np.einsum("...d,...d->...", c, c)[..., None] / d
    return gamma * c * (v + eps) ** -0.5 + beta


def feed_forward_numpy(x, W_1, b_1, W_2, b_2):
    hidden = np.einsum("...d,fd->...f", x, W_1) + b_1
    hidden = np.where(hidden > 0, hidden, 0)
    return np.einsum("...f,df->...d", hidden, W_2) + b_2


def encoder_block_numpy(x, weights, num_heads, mask=None):
    attended, shares = attention_numpy(x, weights, num_heads, mask)
    h = layer_norm_numpy(x + attended, weights["norm1.gamma"], weights["norm1.beta"])
    changed = feed_forward_numpy(
        h,
        weights["feed_forward.linear1.weight"],
        weights["feed_forward.linear1.bias"],
        weights["feed_forward.linear2.weight"],
        weights["feed_forward.linear2.bias"],
    )
    return layer_norm_numpy(h + changed, weights["norm2.gamma"], weights["norm2.beta"]), shares
