"""merge_heads: puts d_k before the heads when joining.

Question: merge_heads
Mistakes: slip
Deserves: 60 %
Fails: merge_heads_columns
Tell: The heads are interleaved, one number of each in turn: before joining, the order must be (batch, seq,
    heads, d_k).
"""


def merge_heads(x):
    batch, heads, seq, d_k = x.shape
    return x.permute(0, 2, 3, 1).reshape(batch, seq, d_k * heads)
