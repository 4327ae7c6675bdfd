"""encoder: typed and documented.

Question: encoder
"""


class TransformerEncoder(nn.Module):
    """A stack of identical (but independently parameterized) encoder blocks."""

    def __init__(
        self, num_layers: int, d_model: int, num_heads: int, d_ff: int, dropout: float = 0.1
    ) -> None:
        super().__init__()
        if num_layers < 1:
            raise ValueError("num_layers must be at least 1")
        self.num_layers = num_layers
        self.layers = nn.ModuleList(
            [
                TransformerEncoderBlock(d_model=d_model, num_heads=num_heads, d_ff=d_ff, dropout=dropout)
                for _ in range(num_layers)
            ]
        )

    def forward(
        self, x: torch.Tensor, mask: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        attention_weights: torch.Tensor | None = None
        hidden_states = x
        for encoder_block in self.layers:
            hidden_states, attention_weights = encoder_block(hidden_states, mask=mask)
        return hidden_states, attention_weights
