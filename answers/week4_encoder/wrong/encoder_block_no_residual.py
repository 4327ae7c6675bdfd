"""encoder_block: leaves both additions out.

Question: encoder_block
Mistakes: concept
Deserves: 45 %
Fails: encoder_block_residual, encoder_block_values
Tell: The residual connections are missing: add what went into each sublayer to what came out.
"""


class TransformerEncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm1 = LayerNorm(d_model)
        self.norm2 = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        a, w = self.attention(x, x, x, mask)
        h = self.norm1(self.dropout(a))
        return self.norm2(self.dropout(self.feed_forward(h))), w
