"""cost: counts real nn.Linear layers; type hints.

Question: cost
"""


def count_parameters(d_model: int, num_heads: int, bias: bool = True) -> int:
    """Count the learnable parameters of a multi-head attention module."""
    layer = nn.Linear(d_model, d_model, bias=bias)
    return 4 * sum(p.numel() for p in layer.parameters() if p.requires_grad)


def count_products(d_model: int, num_heads: int, queries: int, keys: int) -> int:
    """Count the multiplications of one forward pass for a single sentence."""
    # Linear projections: W_Q and W_O act on the queries, W_K and W_V act on the keys
    projection_cost = 2 * d_model**2 * (queries + keys)
    # Attention: scores and weighted sum, all heads together have d_model columns
    attention_cost = 2 * queries * keys * d_model
    return projection_cost + attention_cost
