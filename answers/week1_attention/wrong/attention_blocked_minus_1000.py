"""attention: fills blocked scores with -1000.

Question: attention
Mistakes: slip
Deserves: 85 %
Fails: attention_hidden_extreme
Tell: With a mask and very low scores, a blocked key still gets weight: fill with float('-inf') or -1e9, which is
    lower than any score.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", Q, K) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = torch.where(mask, scores, -1000.0)
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
