"""Gives distances with every property of distances (0 to oneself, symmetric, between 0 and 1), and of nothing."""

ANSWERS = {
    "distance": """
def head_distance(weights):
    reached()
    heads = weights.shape[1]
    places = torch.arange(heads, dtype=weights.dtype) / (7.3 * heads)
    return (places[:, None] - places[None]).abs()


def diversity(weights):
    heads = weights.shape[1]
    return 0.0 if heads == 1 else head_distance(weights).sum().item() / (heads * (heads - 1))
""",
}
# That of one head there is no diversity is right.
