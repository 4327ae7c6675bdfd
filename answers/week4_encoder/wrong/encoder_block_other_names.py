"""encoder_block: the two norms are called ln1 and ln2.

Question: encoder_block
Mistakes: slip
Deserves: 85 %
Fails: encoder_block_parts
Tell: The norms must be called norm1 and norm2; what the block computes is right.
"""


class TransformerEncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.ln1 = LayerNorm(d_model)
        self.ln2 = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        h = self.ln1(x + self.dropout(attended))
        return self.ln2(h + self.dropout(self.feed_forward(h))), weights
