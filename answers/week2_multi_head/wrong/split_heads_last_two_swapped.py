"""split_heads: swaps words and d_k too.

Question: split_heads
Mistakes: slip
Deserves: 60 %
Fails: split_heads_columns
Tell: The last two dimensions are swapped: the result is (batch, heads, d_k, seq), expected (batch, heads,
    seq, d_k).
"""


def split_heads(x, num_heads):
    batch, seq, d_model = x.shape
    x = x.view(batch, seq, num_heads, d_model // num_heads)
    return x.permute(0, 2, 3, 1)
