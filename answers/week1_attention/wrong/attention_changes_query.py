"""attention: right values, but Q is divided in place.

Question: attention
Fails: attention_hidden_gradient, attention_hidden_inputs
Tell: Q /= ... changes the caller's tensor: write Q = Q / ..., which makes a new one.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    Q /= Q.shape[-1] ** 0.5
    scores = Q @ K.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
