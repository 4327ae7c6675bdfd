"""merge_heads: transpose, contiguous, view.

Question: merge_heads
"""


def merge_heads(x):
    batch, heads, seq, d_k = x.size()
    return x.transpose(1, 2).contiguous().view(batch, seq, heads * d_k)
