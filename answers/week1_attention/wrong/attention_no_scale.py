"""attention: forgets to divide by the square root of d_k.

Question: attention
Mistakes: slip
Deserves: 70 %
Fails: attention_worked, attention_weights
Tell: The scores are not scaled: divide Q times K transposed by the square root of d_k before the softmax.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
