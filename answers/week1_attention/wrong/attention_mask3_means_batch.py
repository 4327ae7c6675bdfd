"""attention: takes a mask of three dimensions for (batch, query, key) where there are heads.

Question: attention
Mistakes: slip
Deserves: 85 %
Fails: attention_hidden_broadcast
Tell: A mask of three dimensions gets another one: leave its shape alone, since it broadcasts to (..., query,
    key).
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.mT / math.sqrt(K.shape[-1])
    if mask is not None:
        if mask.dim() == 3 and scores.dim() == 4:
            mask = mask.unsqueeze(1)
        scores = scores.masked_fill(mask.logical_not(), -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
