"""split_heads: view to four dimensions, then transpose.

Question: split_heads
"""


def split_heads(x, num_heads):
    batch, seq, d_model = x.size()
    d_k = d_model // num_heads
    return x.view(batch, seq, num_heads, d_k).transpose(1, 2)
