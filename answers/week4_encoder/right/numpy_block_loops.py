"""numpy_block: loops over the positions in the norm and in the network.

Question: numpy_block
"""


def layer_norm_numpy(x, gamma, beta, eps=1e-5):
    result = np.empty_like(x)
    for place in np.ndindex(x.shape[:-1]):
        row = x[place]
        mean = sum(row) / len(row)
        variance = sum((value - mean) ** 2 for value in row) / len(row)
        result[place] = gamma * (row - mean) / math.sqrt(variance + eps) + beta
    return result


def feed_forward_numpy(x, W_1, b_1, W_2, b_2):
    result = np.zeros(x.shape, dtype=x.dtype)
    for place in np.ndindex(x.shape[:-1]):
        hidden = W_1.dot(x[place]) + b_1
        hidden[hidden < 0] = 0
        result[place] = W_2.dot(hidden) + b_2
    return result


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
