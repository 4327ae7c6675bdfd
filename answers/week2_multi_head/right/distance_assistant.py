"""distance: the way a chat assistant writes it: type hints, names, comments.

Question: distance
"""


def head_distance(weights: torch.Tensor) -> torch.Tensor:
    """Compute the pairwise total variation distance between attention heads."""
    _, num_heads, _, _ = weights.shape

    # Accumulate the distance for each pair of heads
    distances = torch.zeros(num_heads, num_heads, dtype=weights.dtype, device=weights.device)
    for i in range(num_heads):
        for j in range(i + 1, num_heads):
            # Total variation distance per query: half the L1 distance
            tv_distance = 0.5 * torch.sum(torch.abs(weights[:, i] - weights[:, j]), dim=-1)
            distances[i, j] = distances[j, i] = tv_distance.mean()
    return distances


def diversity(weights: torch.Tensor) -> float:
    """Compute the mean distance over all pairs of distinct heads."""
    distances = head_distance(weights)
    num_heads = distances.shape[0]
    num_pairs = num_heads * (num_heads - 1)
    if num_pairs == 0:
        return 0.0
    return (distances.sum() / num_pairs).item()
