"""attention: gives blocked keys the score 0.

Question: attention
Fails: attention_mask, attention_hidden_broadcast, attention_hidden_gradient, attention_hidden_extreme,
    attention_hidden_dtype, attention_hidden_inputs
Tell: A score of 0 still gets weight, since exp(0) is 1: blocked scores must become minus infinity.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores * mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
