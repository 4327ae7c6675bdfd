"""split_heads: leaves the heads behind the words.

Question: split_heads
Fails: split_heads_columns, split_heads_sizes, split_heads_hidden_layout, split_heads_hidden_gradient
Tell: The shape is (batch, seq, heads, d_k): the swap of the dimensions 1 and 2 is missing.
"""


def split_heads(x, num_heads):
    batch, seq, d_model = x.shape
    return x.view(batch, seq, num_heads, d_model // num_heads)
