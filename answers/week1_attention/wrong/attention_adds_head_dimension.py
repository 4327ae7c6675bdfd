"""attention: adds a dimension to every mask, as if it were always (batch, query, key).

Question: attention
Fails: attention_mask, attention_hidden_broadcast, attention_hidden_gradient, attention_hidden_extreme,
    attention_hidden_dtype, attention_hidden_inputs
Tell: The mask gets a dimension that the docstring does not ask for: it broadcasts to (..., query, key) as it
    is, so leave out unsqueeze.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(Q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask.unsqueeze(1) == 0, -1e9)
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, V), weights
