"""self_attention: the way a chat assistant writes it: type hints, checks, steps, much commenting.

Question: self_attention
"""


def self_attention_head(
    X: torch.Tensor,
    W_Q: torch.Tensor,
    W_K: torch.Tensor,
    W_V: torch.Tensor,
    mask: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Compute a single self-attention head.

    Args:
        X: Input embeddings, (..., length, d_model).
        W_Q: Query projection, (d_model, d_k).
        W_K: Key projection, (d_model, d_k).
        W_V: Value projection, (d_model, d_v).
        mask: Optional boolean mask, True where a query may attend to a key.

    Returns:
        The output, (..., length, d_v), and the attention weights, (..., length, length).
    """
    # Validate the dimensions
    d_model = X.shape[-1]
    for name, matrix in (("W_Q", W_Q), ("W_K", W_K), ("W_V", W_V)):
        if matrix.shape[0] != d_model:
            raise ValueError(f"{name} should have {d_model} rows, not {matrix.shape[0]}.")
    if W_Q.shape[1] != W_K.shape[1]:
        raise ValueError("W_Q and W_K must have the same number of columns.")

    # Step 1: Project the input to queries, keys and values
    queries = torch.matmul(X, W_Q)
    keys = torch.matmul(X, W_K)
    values = torch.matmul(X, W_V)

    # Step 2: Apply scaled dot-product attention
    output, attention_weights = scaled_dot_product_attention(queries, keys, values, mask=mask)

    return output, attention_weights
