"""numpy_block: the variance with ddof=1.

Question: numpy_block
Mistakes: slip
Deserves: 80 %
Fails: numpy_block_parts
Tell: The squares are divided by d - 1, as with ddof=1: divide by d.
"""


def layer_norm_numpy(x, gamma, beta, eps=1e-5):
    mean = np.mean(x, axis=-1, keepdims=True)
    var = np.var(x, axis=-1, keepdims=True, ddof=1)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


def feed_forward_numpy(x, W_1, b_1, W_2, b_2):
    return np.maximum(0, x @ W_1.T + b_1) @ W_2.T + b_2


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
