"""merge_heads: works on x.data, which has no gradient.

Question: merge_heads
Mistakes: slip
Deserves: 75 %
Fails: merge_heads_hidden_gradient
Tell: x.data has no gradient, so nothing before the heads could learn: use x itself.
"""


def merge_heads(x):
    b, h, s, d = x.data.shape
    return x.data.transpose(1, 2).reshape(b, s, h * d)
