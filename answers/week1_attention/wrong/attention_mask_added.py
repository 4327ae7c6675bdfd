"""attention: adds the boolean mask to the scores.

Question: attention
Fails: attention_mask, attention_hidden_broadcast, attention_hidden_gradient, attention_hidden_extreme,
    attention_hidden_dtype, attention_hidden_inputs
Tell: Adding the mask only adds 1 to the allowed scores: blocked ones must become minus infinity,
    scores.masked_fill(~mask, float('-inf')).
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
