"""encoder_block: copied the first line and kept norm1 in the second.

Question: encoder_block
Mistakes: slip
Deserves: 70 %
Fails: encoder_block_values
Tell: Both sums go through norm1: the second should go through norm2.
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
        x = self.norm1(x + self.dropout(a))
        x = self.norm1(x + self.dropout(self.feed_forward(x)))
        return x, w
