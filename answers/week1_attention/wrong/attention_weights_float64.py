"""attention: the softmax is computed in float64, and the weights stay in it.

Question: attention
Mistakes: slip
Deserves: 85 %
Fails: attention_hidden_dtype
Tell: The weights are float64 for an input of float32: give both results the dtype of Q.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1, dtype=torch.float64)
    return weights.to(V.dtype) @ V, weights
