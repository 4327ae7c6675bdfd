"""attention: takes the square root of the values' size.

Question: attention
Mistakes: slip
Deserves: 75 %
Fails: attention_worked, attention_weights
Tell: The scale uses d_v, the size of the values: it must use d_k, the size of queries and keys,
    Q.shape[-1].
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(V.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, V), weights
