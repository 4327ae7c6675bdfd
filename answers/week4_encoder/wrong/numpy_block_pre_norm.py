"""numpy_block: normalises before the sublayers.

Question: numpy_block
Mistakes: concept
Deserves: 50 %
Fails: numpy_block_values, numpy_block_hidden_mask
Tell: This block is pre-norm: it should normalise the sum, after each addition.
"""


def layer_norm_numpy(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


def feed_forward_numpy(x, W_1, b_1, W_2, b_2):
    return np.maximum(0, x @ W_1.T + b_1) @ W_2.T + b_2


def encoder_block_numpy(x, weights, num_heads, mask=None):
    seen = layer_norm_numpy(x, weights["norm1.gamma"], weights["norm1.beta"])
    attended, shares = attention_numpy(seen, weights, num_heads, mask)
    x = x + attended
    h = layer_norm_numpy(x, weights["norm2.gamma"], weights["norm2.beta"])
    return x + feed_forward_numpy(
        h,
        weights["feed_forward.linear1.weight"],
        weights["feed_forward.linear1.bias"],
        weights["feed_forward.linear2.weight"],
        weights["feed_forward.linear2.bias"],
    ), shares
