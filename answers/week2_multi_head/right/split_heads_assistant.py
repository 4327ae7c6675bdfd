"""split_heads: the way a chat assistant writes it: type hints, checks, permute.

Question: split_heads
"""


def split_heads(x: torch.Tensor, num_heads: int) -> torch.Tensor:
    """Split the last dimension of ``x`` into ``(num_heads, d_k)``.

    Args:
        x: Input tensor of shape ``(batch, seq, d_model)``.
        num_heads: Number of attention heads.

    Returns:
        Tensor of shape ``(batch, num_heads, seq, d_k)``.
    """
    # Unpack the dimensions
    batch_size, seq_length, d_model = x.shape

    # Make sure the model dimension can be divided evenly
    if d_model % num_heads != 0:
        raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
    head_dim = d_model // num_heads

    # Reshape: (batch, seq, d_model) -> (batch, seq, num_heads, head_dim)
    x = x.reshape(batch_size, seq_length, num_heads, head_dim)

    # Permute: -> (batch, num_heads, seq, head_dim)
    return x.permute(0, 2, 1, 3).contiguous()
