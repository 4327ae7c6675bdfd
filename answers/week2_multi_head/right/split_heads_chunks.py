"""split_heads: cuts with chunk and stacks the pieces.

Question: split_heads
"""


def split_heads(x, num_heads):
    return torch.stack(torch.chunk(x, num_heads, dim=-1), dim=1)
