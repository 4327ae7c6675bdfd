"""attention: right values, but Q is divided in place.

Question: attention
Mistakes: slip
Deserves: 85 %
Fails: attention_hidden_inputs
Tell: Q is changed in the caller's tensor too, for example by `/=` or a method that ends in `_`: Q = Q / ... makes a
    new tensor.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    Q /= Q.shape[-1] ** 0.5
    scores = Q @ K.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
