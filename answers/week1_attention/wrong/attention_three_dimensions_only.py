"""attention: takes (batch, length, d) and nothing else.

Question: attention
Mistakes: slip
Deserves: 65 %
Fails: attention_worked, attention_weights, attention_batch, attention_hidden_broadcast,
    attention_hidden_extreme
Tell: The function takes exactly three dimensions: @ and transpose(-2, -1) work with any number of leading
    dimensions.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    batch, n, d_k = Q.shape
    scores = torch.bmm(Q, K.transpose(1, 2)) / d_k**0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=2)
    return torch.bmm(weights, V), weights
