"""attention: computes in numpy, so no gradient comes through.

Question: attention
Mistakes: slip
Deserves: 75 %
Fails: attention_hidden_gradient
Tell: The values are right, but the output has no gradient: something cuts it off, such as detach(), numpy()
    or no_grad(). Stay in torch from Q, K and V to the output.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    q, k, v = Q.detach().numpy(), K.detach().numpy(), V.detach().numpy()
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]).astype(q.dtype)
    if mask is not None:
        scores = np.where(mask.numpy(), scores, np.finfo(scores.dtype).min)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return torch.from_numpy(weights @ v), torch.from_numpy(weights)
