"""attention: squeezes the results, so a dimension of size 1 disappears.

Question: attention
Mistakes: slip
Deserves: 85 %
Fails: attention_hidden_single
Tell: Dimensions of length 1 are missing in the result, for example because of squeeze(): keep every dimension.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return (weights @ V).squeeze(), weights.squeeze()
