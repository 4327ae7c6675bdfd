"""attention: the way a chat assistant writes it: type hints, checks, steps, much commenting.

Question: attention
"""


def scaled_dot_product_attention(
    Q: torch.Tensor,
    K: torch.Tensor,
    V: torch.Tensor,
    mask: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Compute scaled dot-product attention.

    Args:
        Q: Query tensor of shape (..., query, d_k).
        K: Key tensor of shape (..., key, d_k).
        V: Value tensor of shape (..., key, d_v).
        mask: Optional boolean tensor, True where a query may attend to a key.

    Returns:
        A tuple with the output, (..., query, d_v), and the weights, (..., query, key).
    """
    # Validate the inputs
    if Q.shape[-1] != K.shape[-1]:
        raise ValueError("Query and key must have the same last dimension.")
    if K.shape[-2] != V.shape[-2]:
        raise ValueError("Key and value must have the same length.")

    # Step 1: Calculate the raw attention scores (similarity between queries and keys)
    d_k = Q.size(-1)
    attention_scores = torch.matmul(Q, K.transpose(-2, -1))

    # Step 2: Scale the scores to keep the softmax out of its flat regions
    attention_scores = attention_scores / math.sqrt(d_k)

    # Step 3: Apply the mask (if provided)
    if mask is not None:
        mask = mask.to(dtype=torch.bool, device=attention_scores.device)
        attention_scores = attention_scores.masked_fill(mask.logical_not(), float("-inf"))

    # Step 4: Convert the scores to probabilities
    attention_weights = F.softmax(attention_scores, dim=-1)

    # Step 5: Compute the weighted sum of the values
    output = torch.matmul(attention_weights, V)

    return output, attention_weights
