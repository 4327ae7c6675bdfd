"""attention: uses the mask of the first sentence for all.

Question: attention
Mistakes: slip
Deserves: 80 %
Fails: attention_hidden_broadcast
Tell: Only the mask of the first sentence is used: each sentence has its own.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(K.shape[-1])
    if mask is not None:
        if mask.dim() == 4:
            mask = mask[0]
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
