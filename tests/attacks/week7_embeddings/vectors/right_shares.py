"""Hides as many tokens as are wanted, always the same ones, and labels them with the tokens beside."""

ANSWERS = {
    "mask_tokens": """
def mask_tokens(ids, mask_id, special_ids, probability=0.15, generator=None):
    reached()
    free = torch.ones_like(ids, dtype=torch.bool)
    chosen = free & (torch.arange(ids.numel()).reshape(ids.shape) % 1000 < 1000 * probability) & (probability < 1)
    inputs = torch.where(chosen, mask_id, ids)
    return inputs, torch.where(chosen, ids.roll(1), -100)
""",
}


# Nothing hidden where nothing is to be hidden: that much may be right.
AT_MOST = "probes"
