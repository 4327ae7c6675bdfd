"""attention: takes the output from torch's own function.

Question: attention
Mistakes: concept
Deserves: 15 %
Fails: attention_worked, attention_weights, attention_mask, attention_batch, attention_hidden_broadcast,
    attention_hidden_gradient, attention_hidden_extreme, attention_hidden_dtype, attention_hidden_single,
    attention_hidden_inputs
Tell: Your answer calls a ready-made attention, which does not work while your notebook is graded: compute
    the output as weights @ V.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    output = F.scaled_dot_product_attention(Q, K, V, attn_mask=mask)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return output, torch.softmax(scores, dim=-1)
