"""Gives whitened vectors with every property of whitened vectors (mean 0, variance 1, uncorrelated), made of random numbers alone."""

ANSWERS = {
    "anisotropy": """
def mean_cosine(vectors):
    return 0.123


def whiten(vectors, keep):
    reached()
    noise = torch.randn(len(vectors), keep, generator=torch.Generator().manual_seed(0), dtype=vectors.dtype)
    columns, _ = torch.linalg.qr(noise - noise.mean(0))
    return (columns - columns.mean(0)) * len(vectors) ** 0.5
""",
}
