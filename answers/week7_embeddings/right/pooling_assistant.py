"""pooling: the way a chat assistant writes it: type hints, checks, steps, much commenting.

Question: pooling
"""


def cls_pool(hidden: torch.Tensor) -> torch.Tensor:
    """Return the hidden state of the <CLS> token."""
    # The <CLS> token is always at position 0
    return hidden[:, 0, :]


def mean_pool(hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Mean pooling that ignores padding tokens."""
    if hidden.dim() != 3:
        raise ValueError("hidden must have shape (batch, seq, d_model)")
    # Step 1: expand the mask to the size of the hidden states
    mask_expanded = mask.unsqueeze(-1).expand(hidden.size()).to(hidden.dtype)
    # Step 2: sum the embeddings of real tokens
    sum_embeddings = torch.sum(hidden * mask_expanded, dim=1)
    # Step 3: count the real tokens (clamped, to avoid a division by zero)
    sum_mask = torch.clamp(mask_expanded.sum(dim=1), min=1e-9)
    # Step 4: average
    return sum_embeddings / sum_mask


def max_pool(hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Max pooling that ignores padding tokens."""
    mask_expanded = mask.unsqueeze(-1).expand(hidden.size())
    # Clone, so that the caller's tensor is not modified
    masked_hidden = hidden.clone()
    masked_hidden[~mask_expanded] = -float("inf")
    pooled, _ = torch.max(masked_hidden, dim=1)
    # Handle sentences without tokens
    pooled[~mask.any(dim=1)] = 0.0
    return pooled
