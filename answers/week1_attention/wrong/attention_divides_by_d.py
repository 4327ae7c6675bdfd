"""attention: divides by d_k instead of its square root.

Question: attention
Mistakes: slip
Deserves: 75 %
Fails: attention_worked, attention_weights
Tell: The scores are divided by d_k: divide by its square root, math.sqrt(d_k).
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / d_k
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
