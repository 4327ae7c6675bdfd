"""encoder_block: typed and commented, with a dropout module for each sublayer.

Question: encoder_block
"""


class TransformerEncoderBlock(nn.Module):
    """A post-norm Transformer encoder block."""

    def __init__(self, d_model: int, num_heads: int, d_ff: int, dropout: float = 0.1) -> None:
        super().__init__()
        # Sublayers
        self.attention = MultiHeadAttention(d_model=d_model, num_heads=num_heads)
        self.feed_forward = FeedForward(d_model=d_model, d_ff=d_ff)
        # Normalization
        self.norm1 = LayerNorm(d_model)
        self.norm2 = LayerNorm(d_model)
        # Regularization
        self.dropout = nn.Dropout(p=dropout)
        self.dropout2 = nn.Dropout(p=dropout)

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> tuple[torch.Tensor, torch.Tensor]:
        # Self-attention sublayer
        residual = x
        attention_output, attention_weights = self.attention(query=x, key=x, value=x, mask=mask)
        x = self.norm1(residual + self.dropout(attention_output))

        # Feed-forward sublayer
        residual = x
        x = self.norm2(residual + self.dropout2(self.feed_forward(x)))
        return x, attention_weights
