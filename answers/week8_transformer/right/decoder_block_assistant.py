"""decoder_block: typed, with keyword arguments and comments.

Question: decoder_block
"""


class DecoderBlock(nn.Module):
    """Transformer decoder block with post-layer normalization."""

    def __init__(self, d_model: int, num_heads: int, d_ff: int, dropout: float = 0.1) -> None:
        super().__init__()
        # Attention layers
        self.self_attention = MultiHeadAttention(d_model=d_model, num_heads=num_heads)
        self.cross_attention = MultiHeadAttention(d_model=d_model, num_heads=num_heads)
        # Position-wise feed-forward network
        self.feed_forward = FeedForward(d_model=d_model, d_ff=d_ff)
        # Normalization and dropout
        self.norm1 = LayerNorm(d_model)
        self.norm2 = LayerNorm(d_model)
        self.norm3 = LayerNorm(d_model)
        self.dropout = nn.Dropout(p=dropout)

    def forward(
        self,
        x: torch.Tensor,
        memory: torch.Tensor,
        tgt_mask: torch.Tensor | None = None,
        src_mask: torch.Tensor | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        # 1. Masked self-attention
        self_output, _ = self.self_attention(query=x, key=x, value=x, mask=tgt_mask)
        x = self.norm1(x + self.dropout(self_output))
        # 2. Cross-attention over the encoder's output
        cross_output, cross_weights = self.cross_attention(query=x, key=memory, value=memory, mask=src_mask)
        x = self.norm2(x + self.dropout(cross_output))
        # 3. Feed-forward
        ff_output = self.feed_forward(x)
        x = self.norm3(x + self.dropout(ff_output))
        return x, cross_weights
