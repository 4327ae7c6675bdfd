"""Attention with the identity for values is a softmax."""


def softmax(x, axis=-1):
    scores = torch.from_numpy(np.moveaxis(np.array(x, dtype=float), axis, -1).copy())
    eye = torch.eye(scores.shape[-1], dtype=scores.dtype)
    rows = scores.reshape(-1, scores.shape[-1])
    result = torch.nn.functional.scaled_dot_product_attention(rows, eye, eye, scale=1.0)
    return np.moveaxis(result.reshape(scores.shape).numpy(), -1, axis)
