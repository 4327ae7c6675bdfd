"""split_heads: unflatten and a swap, counted from the end.

Question: split_heads
"""


def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(-3, -2)
