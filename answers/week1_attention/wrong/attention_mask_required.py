"""attention: uses the mask without asking whether there is one.

Question: attention
Fails: attention_worked, attention_weights, attention_batch, attention_hidden_single
Tell: Without a mask the function stops, since None has no ~: mask only if mask is not None.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
