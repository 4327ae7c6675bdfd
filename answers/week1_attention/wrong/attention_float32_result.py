"""attention: casts everything to float32.

Question: attention
Fails: attention_hidden_dtype
Tell: A float64 input comes back as float32: keep the dtype that you were given.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    Q, K, V = Q.float(), K.float(), V.float()
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
