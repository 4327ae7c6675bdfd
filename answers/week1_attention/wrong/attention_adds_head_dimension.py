"""attention: adds a dimension to every mask, as if it were always (batch, query, key).

Question: attention
Mistakes: slip
Deserves: 75 %
Fails: attention_mask, attention_hidden_broadcast, attention_hidden_extreme
Tell: The mask gets a dimension too many, for example by unsqueeze: leave its shape alone, since it broadcasts
    to (..., query, key).
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(Q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask.unsqueeze(1) == 0, -1e9)
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, V), weights
