"""merge_heads: swaps the dimensions of x itself.

Question: merge_heads
Mistakes: slip
Deserves: 75 %
Fails: merge_heads_hidden_layout
Tell: transpose_ and other methods whose names end in an underscore change x itself: use transpose.
"""


def merge_heads(x):
    batch, heads, seq, d_k = x.shape
    return x.transpose_(1, 2).reshape(batch, seq, heads * d_k)
