"""merge_heads: joins without swapping first.

Question: merge_heads
Mistakes: concept
Deserves: 45 %
Fails: merge_heads_columns
Tell: Parts of different words are glued together: swap heads and words before the reshape.
"""


def merge_heads(x):
    batch, heads, seq, d_k = x.shape
    return x.reshape(batch, seq, heads * d_k)
