"""split_heads: swaps the dimensions of x itself.

Question: split_heads
Mistakes: slip
Deserves: 75 %
Fails: split_heads_hidden_layout
Tell: x itself is changed (its shape or its numbers): leave out methods whose names end in an underscore,
    such as transpose_, and assignments to x[...] or x.data.
"""


def split_heads(x, num_heads):
    x = x.transpose_(1, 2)  # (batch, seq, d_model) -> (batch, d_model, seq)
    return x.unflatten(1, (num_heads, -1)).transpose(2, 3)
