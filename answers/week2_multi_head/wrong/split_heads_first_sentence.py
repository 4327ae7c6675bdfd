"""split_heads: cuts only the first sentence.

Question: split_heads
Mistakes: slip
Deserves: 55 %
Fails: split_heads_columns
Tell: Only the first sentence of the batch is used: keep the batch dimension in every step.
"""


def split_heads(x, num_heads):
    seq, d_model = x.shape[1:]
    heads = x[0].view(seq, num_heads, d_model // num_heads).transpose(0, 1)
    return heads.unsqueeze(0)
