"""attention: takes the square root of the number of keys.

Question: attention
Mistakes: slip
Deserves: 75 %
Fails: attention_weights
Tell: The scale uses the number of keys, K.shape[-2]: it must use the size of one key, K.shape[-1].
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(K.size(-2))
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, V), weights
