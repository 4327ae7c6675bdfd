"""attention: refuses a mask of one dimension.

Question: attention
Mistakes: slip
Deserves: 90 %
Fails: attention_hidden_broadcast
Tell: The function stops for a mask of shape (key,): it broadcasts, so no dimension of it has to be looked
    at.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(K.shape[-1])
    if mask is not None:
        assert mask.shape[-2] in (1, Q.shape[-2]), "the mask does not fit the queries"
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
