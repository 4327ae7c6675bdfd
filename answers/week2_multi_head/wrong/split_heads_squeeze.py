"""split_heads: squeezes the result.

Question: split_heads
Mistakes: slip
Deserves: 80 %
Fails: split_heads_sizes
Tell: A dimension of length 1 is lost, such as that of the heads if there is only one: squeeze() does that.
    Name the dimension that should go, or leave squeeze out.
"""


def split_heads(x, num_heads):
    batch, seq, d_model = x.shape
    heads = x.view(batch, seq, num_heads, d_model // num_heads).transpose(1, 2)
    return heads.squeeze()
