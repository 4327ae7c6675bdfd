"""numpy_block: writes the attention too, one head after the other.

Question: numpy_block
"""


def layer_norm_numpy(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


def feed_forward_numpy(x, W_1, b_1, W_2, b_2):
    return np.maximum(0, x @ W_1.T + b_1) @ W_2.T + b_2


def encoder_block_numpy(x, weights, num_heads, mask=None):
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    q, k, v = (x @ weights[f"attention.W_{n}.weight"].T + weights[f"attention.W_{n}.bias"] for n in "QKV")
    if mask is not None:
        mask = np.broadcast_to(mask, (batch, num_heads, length, length))
    heads, shares = [], []
    for i in range(num_heads):
        part = slice(i * d_k, (i + 1) * d_k)
        scores = q[..., part] @ k[..., part].transpose(0, 2, 1) / math.sqrt(d_k)
        if mask is not None:
            scores = np.where(mask[:, i], scores, -1e30)
        e = np.exp(scores - scores.max(-1, keepdims=True))
        shares.append(e / e.sum(-1, keepdims=True))
        heads.append(shares[-1] @ v[..., part])
    attended = np.concatenate(heads, -1) @ weights["attention.W_O.weight"].T + weights["attention.W_O.bias"]
    h = layer_norm_numpy(x + attended, weights["norm1.gamma"], weights["norm1.beta"])
    changed = feed_forward_numpy(
        h,
        weights["feed_forward.linear1.weight"],
        weights["feed_forward.linear1.bias"],
        weights["feed_forward.linear2.weight"],
        weights["feed_forward.linear2.bias"],
    )
    return layer_norm_numpy(h + changed, weights["norm2.gamma"], weights["norm2.beta"]), np.stack(shares, 1)
