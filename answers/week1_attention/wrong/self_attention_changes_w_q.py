"""self_attention: right values, but W_Q is divided in place.

Question: self_attention
Mistakes: slip
Deserves: 85 %
Fails: self_attention_hidden_inputs
Tell: The caller's W_Q is changed, for example by `/=` or a method that ends in `_`: W_Q = W_Q / ... makes a new
    tensor.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    W_Q /= math.sqrt(W_Q.shape[-1])
    scores = (X @ W_Q) @ (X @ W_K).transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ (X @ W_V), weights
