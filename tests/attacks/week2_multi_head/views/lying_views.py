"""Gives heads as views with the right shape on wrong numbers: expanded, overlapping, of another tensor's memory."""

ANSWERS = {
    "split_heads": """
def split_heads(x, num_heads):
    reached()
    batch, seq, d_model = x.shape
    one = x.reshape(-1)[: d_model // num_heads].contiguous()
    return one.as_strided((batch, num_heads, seq, d_model // num_heads), (0, 0, 0, 1))
""",
    "merge_heads": """
def merge_heads(x):
    batch, heads, seq, d_k = x.shape
    flat = x.contiguous().reshape(-1)
    return flat.flip(0).as_strided((batch, seq, heads * d_k), (0, 0, 1)) if d_k > 1 else flat[:1].expand(batch, seq, heads * d_k)
""",
}
