"""self_attention: computes in numpy: right values, no gradient.

Question: self_attention
Mistakes: slip
Deserves: 75 %
Fails: self_attention_hidden_gradient
Tell: The values are right, but the output has no gradient: stay in torch from X to the output, without
    numpy(), detach() or no_grad().
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    x, w_q, w_k, w_v = (tensor.detach().numpy() for tensor in (X, W_Q, W_K, W_V))
    scores = (x @ w_q) @ np.swapaxes(x @ w_k, -2, -1) / np.sqrt(w_q.shape[-1])
    scores = scores.astype(x.dtype)
    if mask is not None:
        scores = np.where(mask.numpy(), scores, -np.inf)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = (powers / powers.sum(axis=-1, keepdims=True)).astype(x.dtype)
    return torch.from_numpy(weights @ (x @ w_v)), torch.from_numpy(weights)
