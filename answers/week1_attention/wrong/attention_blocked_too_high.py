"""attention: fills blocked scores with -100.

Question: attention
Fails: attention_hidden_extreme
Tell: -100 is not low enough, since real scores can be lower: fill with float('-inf') or -1e9.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -100.0)
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
