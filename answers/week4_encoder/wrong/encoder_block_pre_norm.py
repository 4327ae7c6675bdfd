"""encoder_block: normalises before each sublayer.

Question: encoder_block
Mistakes: concept
Deserves: 50 %
Fails: encoder_block_residual, encoder_block_values
Tell: That is pre-norm: the norm should come after the addition, around the whole sum.
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
        seen = self.norm1(x)
        a, w = self.attention(seen, seen, seen, mask)
        x = x + self.dropout(a)
        return x + self.dropout(self.feed_forward(self.norm2(x))), w
