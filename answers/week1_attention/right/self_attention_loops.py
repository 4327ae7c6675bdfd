"""self_attention: a loop over the sentences and one over the queries.

Question: self_attention
"""


def one_sentence(x, W_Q, W_K, W_V, mask):
    keys = torch.stack([row @ W_K for row in x])
    values = torch.stack([row @ W_V for row in x])
    outputs, all_weights = [], []
    for i, row in enumerate(x):
        query = row @ W_Q
        scores = torch.stack([torch.dot(query, key) for key in keys]) / len(query) ** 0.5
        if mask is not None:
            scores = torch.where(mask[i], scores, torch.full_like(scores, -1e30))
        shares = torch.exp(scores - scores.max())
        shares = shares / shares.sum()
        all_weights.append(shares)
        outputs.append(sum(share * value for share, value in zip(shares, values)))
    return torch.stack(outputs), torch.stack(all_weights)


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    *leading, length, d_model = X.shape
    sentences = X.reshape(-1, length, d_model)
    masks = [None] * len(sentences)
    if mask is not None:
        masks = mask.expand(*leading, length, length).reshape(-1, length, length)
    results = [one_sentence(x, W_Q, W_K, W_V, m) for x, m in zip(sentences, masks)]
    output = torch.stack([output for output, _ in results]).reshape(*leading, length, -1)
    weights = torch.stack([weights for _, weights in results]).reshape(*leading, length, length)
    return output, weights
