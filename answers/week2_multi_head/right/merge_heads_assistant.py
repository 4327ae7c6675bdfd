"""merge_heads: the way a chat assistant writes it: type hints and a comment for each line.

Question: merge_heads
"""


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    """Merge the attention heads back into a single dimension.

    Args:
        x: Tensor of shape ``(batch, num_heads, seq, d_k)``.

    Returns:
        Tensor of shape ``(batch, seq, num_heads * d_k)``.
    """
    batch_size, num_heads, seq_length, head_dim = x.shape

    # (batch, num_heads, seq, head_dim) -> (batch, seq, num_heads, head_dim)
    x = x.permute(0, 2, 1, 3)

    # permute() makes the tensor non-contiguous, so copy it before flattening the last two dimensions
    x = x.contiguous()

    # (batch, seq, num_heads, head_dim) -> (batch, seq, d_model)
    return x.view(batch_size, seq_length, num_heads * head_dim)
