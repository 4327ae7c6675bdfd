"""attention: the values are detached.

Question: attention
Mistakes: slip
Deserves: 80 %
Fails: attention_hidden_gradient
Tell: No gradient reaches V: look for detach() or no_grad() between V and the output.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V.detach(), weights
