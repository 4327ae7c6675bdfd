"""scaling: the way a chat assistant writes it: type hints, steps, much commenting, NaN replaced by 0.

Question: scaling
"""


def dot_product_variance(q: torch.Tensor, k: torch.Tensor, scaled: bool) -> float:
    """Compute the variance of the query-key dot products."""
    # Step 1: row-wise dot products via batched matrix multiplication
    dot_products = torch.bmm(q.unsqueeze(1), k.unsqueeze(2)).flatten()

    # Step 2: optionally apply the 1/sqrt(d_k) scaling factor
    scale = 1.0 / math.sqrt(q.size(-1)) if scaled else 1.0
    dot_products = dot_products * scale

    # Step 3: return the variance as a plain Python float
    return torch.var(dot_products).item()


def softmax_entropy(weights: torch.Tensor) -> torch.Tensor:
    """Compute the Shannon entropy of each row, in nats."""
    # 0 * log(0) is NaN in floating point, but its limit is 0
    terms = torch.nan_to_num(weights * weights.log(), nan=0.0)
    return terms.sum(dim=-1).neg()
