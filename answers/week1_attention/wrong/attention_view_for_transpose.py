"""attention: reshapes the keys where they should be transposed.

Question: attention
Mistakes: slip
Deserves: 65 %
Fails: attention_worked, attention_weights, attention_hidden_broadcast
Tell: view and reshape keep the numbers in their old order and mix the keys up: use K.transpose(-2, -1).
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    K_t = K.reshape(*K.shape[:-2], d_k, K.shape[-2])
    scores = torch.matmul(Q, K_t) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, V), weights
