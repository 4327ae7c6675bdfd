"""attention: calls masked_fill and throws its result away.

Question: attention
Fails: attention_mask, attention_hidden_broadcast, attention_hidden_gradient, attention_hidden_extreme,
    attention_hidden_dtype, attention_hidden_inputs
Tell: masked_fill returns a new tensor and leaves scores as they were: write scores =
    scores.masked_fill(...).
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
