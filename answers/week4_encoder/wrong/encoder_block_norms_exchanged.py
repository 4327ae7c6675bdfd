"""encoder_block: uses norm2 after the attention and norm1 after the feed-forward network.

Question: encoder_block
Mistakes: slip
Deserves: 75 %
Fails: encoder_block_values
Tell: The two norms are exchanged: norm1 should come after the attention, norm2 after the feed-forward network.
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
        h = self.norm2(x + self.dropout(a))
        return self.norm1(h + self.dropout(self.feed_forward(h))), w
