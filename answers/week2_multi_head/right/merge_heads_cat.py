"""merge_heads: concatenates the heads, as the formula says.

Question: merge_heads
"""


def merge_heads(x):
    return torch.cat([x[:, i] for i in range(x.shape[1])], dim=-1)
