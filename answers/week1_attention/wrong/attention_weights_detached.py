"""attention: the weights are computed without gradients.

Question: attention
Fails: attention_hidden_gradient
Tell: The weights are computed under no_grad, so nothing can be learned through Q and K: take the block
    away.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    with torch.no_grad():
        scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
