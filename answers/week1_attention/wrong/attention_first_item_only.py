"""attention: computes batch item 0 and repeats it.

Question: attention
Fails: attention_batch, attention_hidden_broadcast, attention_hidden_gradient, attention_hidden_dtype,
    attention_hidden_single, attention_hidden_inputs
Tell: Every batch item gets the result of item 0: leave out the [0] and let @ work on all leading
    dimensions.
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
