"""encoder_block: other names, and dropout is made but not used.

Question: encoder_block
Mistakes: slip, slip
Deserves: 60 %
Fails: encoder_block_parts, encoder_block_dropout, encoder_block_hidden_dropout
Tell: The dropout is never called: it belongs around the result of each of the two sublayers.
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
        h = self.ln1(x + attended)
        return self.ln2(h + self.feed_forward(h)), weights
