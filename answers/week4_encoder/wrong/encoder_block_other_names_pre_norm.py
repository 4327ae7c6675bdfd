"""encoder_block: other names, and the norms come before the sublayers.

Question: encoder_block
Mistakes: slip, concept
Deserves: 45 %
Fails: encoder_block_parts, encoder_block_residual, encoder_block_values
Tell: That is pre-norm: here each norm should come after the addition.
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
        seen = self.ln1(x)
        attended, weights = self.attention(seen, seen, seen, mask)
        h = x + self.dropout(attended)
        return h + self.dropout(self.feed_forward(self.ln2(h))), weights
