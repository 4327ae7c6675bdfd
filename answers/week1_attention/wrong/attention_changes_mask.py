"""attention: right values, but the mask is turned round in place.

Question: attention
Mistakes: slip
Deserves: 85 %
Fails: attention_hidden_inputs
Tell: The caller's mask is changed by the call, for example by a method that ends in `_`: ~mask makes a new tensor.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not_(), float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
