"""numpy_block: writes a limit into x.

Question: numpy_block
Mistakes: slip
Deserves: 80 %
Fails: numpy_block_hidden_inputs
Tell: The caller's x is changed: leave out `out=x`, x[...] = ... and `x += ...`, and compute a new array.
"""


def layer_norm_numpy(x, gamma, beta, eps=1e-5):
    x[~np.isfinite(x)] = 0
    return gamma * (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps) + beta


def feed_forward_numpy(x, W_1, b_1, W_2, b_2):
    np.clip(x, -50, 50, out=x)
    return np.maximum(0, x @ W_1.T + b_1) @ W_2.T + b_2


def encoder_block_numpy(x, weights, num_heads, mask=None):
    w = weights
    attended, shares = attention_numpy(x, w, num_heads, mask)
    h = layer_norm_numpy(x + attended, w["norm1.gamma"], w["norm1.beta"])
    y = feed_forward_numpy(
        h, *(w[f"feed_forward.linear{i}.{kind}"] for i in (1, 2) for kind in ("weight", "bias"))
    )
    return layer_norm_numpy(h + y, w["norm2.gamma"], w["norm2.beta"]), shares
