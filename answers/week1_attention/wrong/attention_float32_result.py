"""attention: casts everything to float32.

Question: attention
Mistakes: slip
Deserves: 85 %
Fails: attention_hidden_dtype
Tell: For an input of float64 the result is float32: keep the dtype that you were given.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    Q, K, V = Q.float(), K.float(), V.float()
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
