"""encoder_block: takes the inner size to be four times d_model.

Question: encoder_block
Mistakes: slip
Deserves: 65 %
Fails: encoder_block_parts, encoder_block_values, encoder_block_dropout
Tell: The argument d_ff has no effect: hand it to FeedForward.
"""


class TransformerEncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, 4 * d_model)
        self.norm1 = LayerNorm(d_model)
        self.norm2 = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        a, w = self.attention(x, x, x, mask)
        h = self.norm1(x + self.dropout(a))
        return self.norm2(h + self.dropout(self.feed_forward(h))), w
