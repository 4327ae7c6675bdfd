"""attention: takes the square root of the values' size.

Question: attention
Fails: attention_worked, attention_weights, attention_mask, attention_batch, attention_hidden_broadcast,
    attention_hidden_gradient, attention_hidden_extreme, attention_hidden_dtype, attention_hidden_single,
    attention_hidden_inputs
Tell: The scale uses d_v, the size of the values: it must be the size of the queries and keys, Q.shape[-1].
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(V.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, V), weights
