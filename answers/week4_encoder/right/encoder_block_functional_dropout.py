"""encoder_block: F.dropout that asks for the mode.

Question: encoder_block
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
        p = self.dropout.p
        a, w = self.attention(x, x, x, mask)
        h = self.norm1(F.dropout(a, p, self.training) + x)
        return self.norm2(F.dropout(self.feed_forward(h), p, training=self.training) + h), w
