"""merge_heads: fills an empty tensor of the same kind head by head.

Question: merge_heads
"""


def merge_heads(x):
    b, h, s, d = x.shape
    result = x.new_empty((b, s, h * d))
    for i in range(h):
        result[..., d * i : d * (i + 1)] = x[:, i]
    return result
