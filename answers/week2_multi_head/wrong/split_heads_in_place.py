"""split_heads: swaps the dimensions of x itself.

Question: split_heads
Mistakes: slip
Deserves: 75 %
Fails: split_heads_hidden_layout
Tell: transpose_ and other methods whose names end in an underscore change x itself: use transpose.
"""


def split_heads(x, num_heads):
    x = x.transpose_(1, 2)  # (batch, seq, d_model) -> (batch, d_model, seq)
    return x.unflatten(1, (num_heads, -1)).transpose(2, 3)
