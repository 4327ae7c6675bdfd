"""attention: softmax over dimension 1, which is the key only in a matrix.

Question: attention
Fails: attention_batch, attention_hidden_broadcast, attention_hidden_gradient, attention_hidden_dtype,
    attention_hidden_single, attention_hidden_inputs
Tell: dim=1 is the key only when the input is a matrix: with batch and heads in front count from the end,
    dim=-1.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = torch.softmax(scores, dim=1)
    return weights @ V, weights
