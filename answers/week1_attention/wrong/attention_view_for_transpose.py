"""attention: reshapes the keys where they should be transposed.

Question: attention
Fails: attention_worked, attention_weights, attention_mask, attention_batch, attention_hidden_broadcast,
    attention_hidden_gradient, attention_hidden_extreme, attention_hidden_dtype, attention_hidden_single,
    attention_hidden_inputs
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
