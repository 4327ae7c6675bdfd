"""split_heads: gathers the numbers of each head by an index.

Question: split_heads
"""


def split_heads(x, num_heads):
    index = torch.arange(x.shape[-1], device=x.device).reshape(num_heads, 1, -1)  # (heads, 1, d_k)
    words = torch.arange(x.shape[1], device=x.device).reshape(1, -1, 1)  # (1, seq, 1)
    return x[:, words, index]
