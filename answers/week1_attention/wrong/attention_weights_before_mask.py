"""attention: right output, but the returned weights are those without the mask.

Question: attention
Mistakes: slip
Deserves: 75 %
Fails: attention_hidden_broadcast
Tell: The output is right, but the returned weights are not 0 where the mask blocks a key: return the
    weights that made the output.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    if mask is None:
        return weights @ V, weights
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1) @ V, weights
