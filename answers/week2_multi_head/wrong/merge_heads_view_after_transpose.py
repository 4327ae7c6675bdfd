"""merge_heads: calls view on a transposed tensor.

Question: merge_heads
Mistakes: concept
Deserves: 20 %
Fails: merge_heads_columns, merge_heads_sizes, merge_heads_hidden_layout, merge_heads_hidden_gradient
Tell: view cannot join dimensions after a transpose: call contiguous() before it, or use reshape.
"""


def merge_heads(x):
    batch, heads, seq, d_k = x.shape
    return x.transpose(1, 2).view(batch, seq, heads * d_k)
