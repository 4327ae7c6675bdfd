"""target_mask: typed, with the given padding_mask and an inverted triu.

Question: target_mask
"""


def target_mask(ids: torch.Tensor, pad_id: int) -> torch.Tensor:
    """Combine the causal mask with the padding mask of the target.

    Args:
        ids (torch.Tensor): Target token ids of shape (batch, length).
        pad_id (int): Id of the padding token.

    Returns:
        torch.Tensor: Boolean mask of shape (batch, 1, length, length).
    """
    length = ids.size(1)
    future = torch.triu(torch.ones((length, length), dtype=torch.bool, device=ids.device), diagonal=1)
    return padding_mask(ids, pad_id) & ~future
