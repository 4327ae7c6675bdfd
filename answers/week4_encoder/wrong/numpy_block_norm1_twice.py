"""numpy_block: uses the first norm's weights twice.

Question: numpy_block
Mistakes: slip
Deserves: 65 %
Fails: numpy_block_values, numpy_block_hidden_mask
Tell: The second norm should have weights of its own: norm2.gamma and norm2.beta.
"""


def layer_norm_numpy(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
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
    return layer_norm_numpy(h + changed, weights["norm1.gamma"], weights["norm1.beta"]), shares
