"""attention: uses the mask without asking whether there is one.

Question: attention
Mistakes: slip
Deserves: 75 %
Fails: attention_worked, attention_weights
Tell: The function stops without a mask: use the mask only if mask is not None.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
