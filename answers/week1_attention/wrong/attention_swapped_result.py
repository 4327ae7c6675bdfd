"""attention: returns the weights first.

Question: attention
Mistakes: slip
Deserves: 80 %
Fails: attention_weights
Tell: The two results are in the wrong order: return output, weights.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights, weights @ V
