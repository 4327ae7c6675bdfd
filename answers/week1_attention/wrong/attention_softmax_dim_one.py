"""attention: softmax over dimension 1, which is the key only in a matrix.

Question: attention
Mistakes: slip
Deserves: 75 %
Fails: attention_mask, attention_batch, attention_hidden_broadcast
Tell: In a batch the softmax runs over the wrong dimension: the keys are the last one, dim=-1, and dim=1
    only in a matrix.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = torch.softmax(scores, dim=1)
    return weights @ V, weights
