"""merge_heads: squeezes what has length 1.

Question: merge_heads
Mistakes: slip
Deserves: 80 %
Fails: merge_heads_sizes
Tell: squeeze drops a dimension of length 1, such as that of a batch of one sentence or of a sentence of
    one word: leave it out.
"""


def merge_heads(x):
    b, h, s, d = x.shape
    return x.transpose(1, 2).reshape(b, s, h * d).squeeze()
