"""padding_mask: torch.where on ones and zeros, turned into booleans at the end.

Question: padding_mask
"""


def padding_mask(token_ids: torch.Tensor, pad_id: int) -> torch.Tensor:
    """Mask the padding tokens."""
    # 1 for a real token, 0 for padding
    keep = torch.where(token_ids == pad_id, torch.zeros_like(token_ids), torch.ones_like(token_ids))
    # add the query dimension so that the mask broadcasts to (batch, query, key)
    return keep.bool().reshape(token_ids.size(0), 1, token_ids.size(1))
