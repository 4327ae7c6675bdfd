"""anisotropy: the way a chat assistant writes it: type hints, comments, a matrix for the whitening.

Question: anisotropy
"""


def mean_cosine(vectors: torch.Tensor) -> float:
    """Average pairwise cosine similarity (excluding self-similarity)."""
    n = vectors.size(0)
    sims = cosine_similarity(vectors.unsqueeze(1), vectors.unsqueeze(0))
    # Exclude the diagonal
    off_diagonal = ~torch.eye(n, dtype=torch.bool, device=vectors.device)
    return sims[off_diagonal].mean().item()


def whiten(vectors: torch.Tensor, keep: int) -> torch.Tensor:
    """PCA whitening with dimensionality reduction."""
    # Center the data
    mean = vectors.mean(dim=0, keepdim=True)
    centered = vectors - mean
    # Covariance matrix
    cov = (centered.T @ centered) / (vectors.size(0) - 1)
    # Eigen-decomposition, sorted in descending order
    eigenvalues, eigenvectors = torch.linalg.eigh(cov)
    eigenvalues = eigenvalues.flip(0)[:keep]
    eigenvectors = eigenvectors.flip(1)[:, :keep]
    # Whitening matrix
    W = eigenvectors @ torch.diag(1.0 / torch.sqrt(eigenvalues.clamp(min=1e-5)))
    return centered @ W
