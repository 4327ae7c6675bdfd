"""split_heads: leaves the heads behind the words.

Question: split_heads
Mistakes: slip
Deserves: 55 %
Fails: split_heads_columns
Tell: The shape is (batch, seq, heads, d_k): the swap of the dimensions 1 and 2 is missing.
"""


def split_heads(x, num_heads):
    batch, seq, d_model = x.shape
    return x.view(batch, seq, num_heads, d_model // num_heads)
