"""mask_tokens: the way a chat assistant writes it: type hints and comments.

Question: mask_tokens
"""


def mask_tokens(
    ids: torch.Tensor,
    mask_id: int,
    special_ids: list[int],
    probability: float = 0.15,
    generator: torch.Generator | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Prepare masked tokens inputs/labels for masked language modeling."""
    # Create copies so that we do not modify the original tensor
    inputs = ids.clone()
    labels = ids.clone()

    # Create a mask of special tokens
    special_tokens_mask = torch.zeros_like(ids, dtype=torch.bool)
    for special_id in special_ids:
        special_tokens_mask |= ids.eq(special_id)

    # Sample the tokens to mask
    rand = torch.rand(ids.shape, generator=generator).to(ids.device)
    masked_indices = (rand < probability) & (~special_tokens_mask)

    # Only compute the loss on masked tokens
    labels[~masked_indices] = -100
    inputs[masked_indices] = mask_id
    return inputs, labels
