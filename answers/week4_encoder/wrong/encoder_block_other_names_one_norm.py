"""encoder_block: other names, and one norm serves twice while the other is idle.

Question: encoder_block
Mistakes: slip, slip
Deserves: 55 %
Fails: encoder_block_parts, encoder_block_values
Tell: Both sums go through the first norm: the second norm should have numbers of its own.
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
        return self.ln1(h + self.dropout(self.feed_forward(h))), weights
