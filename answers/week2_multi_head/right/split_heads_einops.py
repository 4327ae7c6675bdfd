"""split_heads: rearranges with einops.

Question: split_heads
"""


def split_heads(x, num_heads):
    import einops

    return einops.rearrange(x, "b s (h k) -> b h s k", h=num_heads)
