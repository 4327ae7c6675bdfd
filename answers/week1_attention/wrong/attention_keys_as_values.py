"""attention: multiplies the weights with the keys.

Question: attention
Mistakes: slip
Deserves: 60 %
Fails: attention_worked, attention_weights, attention_hidden_gradient
Tell: The weights are right, but the output is a mix of the keys: multiply the weights by V.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ K, weights
