"""split_heads: asks view for the final shape at once.

Question: split_heads
Mistakes: concept
Deserves: 45 %
Fails: split_heads_columns
Tell: A bare view or reshape to (batch, heads, seq, d_k) cuts in memory order: reshape to (batch, seq, heads,
    d_k), then swap.
"""


def split_heads(x, num_heads):
    batch, seq, d_model = x.shape
    return x.reshape(batch, num_heads, seq, d_model // num_heads)
