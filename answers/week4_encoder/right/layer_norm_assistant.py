"""layer_norm: the way a chat assistant writes it: type hints, steps and many comments.

Question: layer_norm
"""


class LayerNorm(nn.Module):
    """Layer normalization over the last dimension.

    Args:
        d_model: Number of features of each vector.
        eps: Small constant for numerical stability.
    """

    def __init__(self, d_model: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.d_model = d_model
        self.eps = eps
        # Learnable affine parameters
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.size(-1) != self.d_model:
            raise ValueError(f"Expected last dimension {self.d_model}, got {x.size(-1)}")
        # Step 1: compute the statistics of each vector
        mean = x.mean(dim=-1, keepdim=True)
        variance = torch.mean((x - mean) ** 2, dim=-1, keepdim=True)
        # Step 2: normalize
        normalized = (x - mean) / torch.sqrt(variance + self.eps)
        # Step 3: scale and shift
        return normalized * self.gamma + self.beta
