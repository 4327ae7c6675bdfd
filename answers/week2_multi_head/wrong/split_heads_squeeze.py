"""split_heads: squeezes the result.

Question: split_heads
Mistakes: slip
Deserves: 80 %
Fails: split_heads_sizes
Tell: squeeze drops a dimension of length 1: with one head, the dimension of the heads is lost. Leave it
    out.
"""


def split_heads(x, num_heads):
    batch, seq, d_model = x.shape
    heads = x.view(batch, seq, num_heads, d_model // num_heads).transpose(1, 2)
    return heads.squeeze()
