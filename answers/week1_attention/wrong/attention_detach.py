"""attention: computes in numpy, so no gradient comes through.

Question: attention
Fails: attention_hidden_gradient
Tell: The values are right but no gradient reaches Q, K and V: stay in torch, without detach() and numpy().
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    q, k, v = Q.detach().numpy(), K.detach().numpy(), V.detach().numpy()
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]).astype(q.dtype)
    if mask is not None:
        scores = np.where(mask.numpy(), scores, np.finfo(scores.dtype).min)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return torch.from_numpy(weights @ v), torch.from_numpy(weights)
