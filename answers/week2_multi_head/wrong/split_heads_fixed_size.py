"""split_heads: has the d_k of the first test in the code.

Question: split_heads
Mistakes: slip
Deserves: 65 %
Fails: split_heads_sizes
Tell: d_k is fixed at 3 in the code: compute it from d_model and num_heads.
"""


def split_heads(x, num_heads):
    batch, seq, _ = x.shape
    return x.reshape(batch, seq, -1, 3).transpose(1, 2)
