"""merge_heads: fills zeros of the default dtype.

Question: merge_heads
Mistakes: slip
Deserves: 80 %
Fails: merge_heads_sizes
Tell: The result is float32 whatever x is, as torch.zeros and float() make it: give new tensors
    dtype=x.dtype, or concatenate.
"""


def merge_heads(x):
    b, h, s, d = x.shape
    merged = torch.zeros(b, s, h * d)
    for i in range(h):
        merged[:, :, i * d : (i + 1) * d] = x[:, i, :, :]
    return merged
