"""Gives masks that are bool, of the right shape and lower triangular, and hide each position from itself and forget the padding."""

ANSWERS = {
    "target_mask": """
def target_mask(ids, pad_id):
    reached()
    length = ids.shape[1]
    causal = torch.ones(length, length, dtype=torch.bool).tril(-1)
    return causal[None, None].expand(len(ids), 1, length, length).clone()
""",
}
