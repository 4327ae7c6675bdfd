"""feed_forward: documented and typed, with its sizes stored.

Question: feed_forward
"""


class FeedForward(nn.Module):
    """Position-wise feed-forward network (expand, activate, contract)."""

    def __init__(self, d_model: int, d_ff: int) -> None:
        super().__init__()
        self.d_model = d_model
        self.d_ff = d_ff
        self.linear1 = nn.Linear(in_features=d_model, out_features=d_ff, bias=True)
        self.linear2 = nn.Linear(in_features=d_ff, out_features=d_model, bias=True)
        self.activation = nn.ReLU(inplace=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        # Expand: (..., d_model) -> (..., d_ff)
        expanded = self.linear1(x)
        activated = self.activation(expanded)
        # Contract: (..., d_ff) -> (..., d_model)
        return self.linear2(activated)
