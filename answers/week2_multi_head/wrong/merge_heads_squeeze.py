"""merge_heads: squeezes what has length 1.

Question: merge_heads
Mistakes: slip
Deserves: 80 %
Fails: merge_heads_sizes
Tell: A dimension of length 1 is lost, such as that of a batch of one sentence or of a sentence of one word:
    squeeze() does that. Name the dimension that should go, or leave squeeze out if none should.
"""


def merge_heads(x):
    b, h, s, d = x.shape
    return x.transpose(1, 2).reshape(b, s, h * d).squeeze()
