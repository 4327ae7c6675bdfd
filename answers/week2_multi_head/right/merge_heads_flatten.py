"""merge_heads: permute and flatten.

Question: merge_heads
"""


def merge_heads(x):
    return x.permute(0, 2, 1, 3).flatten(start_dim=2)
