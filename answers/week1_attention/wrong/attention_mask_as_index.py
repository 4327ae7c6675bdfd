"""attention: blocks by scores[~mask], which needs a mask of the scores' own shape.

Question: attention
Mistakes: slip
Deserves: 80 %
Fails: attention_hidden_broadcast
Tell: The function stops for a mask that is smaller than the scores: masked_fill and torch.where broadcast it, an index
    does not.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores[~mask] = float("-inf")
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
