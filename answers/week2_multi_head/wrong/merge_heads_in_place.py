"""merge_heads: swaps the dimensions of x itself.

Question: merge_heads
Mistakes: slip
Deserves: 75 %
Fails: merge_heads_hidden_layout
Tell: merge_heads changes x itself, its shape or its numbers: leave out methods whose names end in an underscore,
    such as transpose_, and assignments to x[...] or x.data.
"""


def merge_heads(x):
    batch, heads, seq, d_k = x.shape
    return x.transpose_(1, 2).reshape(batch, seq, heads * d_k)
