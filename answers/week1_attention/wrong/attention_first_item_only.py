"""attention: computes batch item 0 and repeats it.

Question: attention
Mistakes: slip
Deserves: 65 %
Fails: attention_batch, attention_hidden_broadcast, attention_hidden_gradient
Tell: Every sentence of a batch gets the weights of the first one: @ works on all leading dimensions, so
    there is no need for an index.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    if scores.dim() > 2:
        scores = scores[0].expand(scores.shape)
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
