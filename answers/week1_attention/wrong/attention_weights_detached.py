"""attention: the weights are computed without gradients.

Question: attention
Mistakes: slip
Deserves: 75 %
Fails: attention_hidden_gradient
Tell: No gradient reaches Q and K, because the weights are computed without one: look for no_grad() or
    detach().
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    with torch.no_grad():
        scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
