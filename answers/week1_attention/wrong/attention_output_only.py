"""attention: returns the output alone.

Question: attention
Fails: attention_worked, attention_weights, attention_mask, attention_batch, attention_hidden_broadcast,
    attention_hidden_gradient, attention_hidden_extreme, attention_hidden_dtype, attention_hidden_single,
    attention_hidden_inputs
Tell: Only the output is returned: the docstring asks for two values, return output, weights.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V
