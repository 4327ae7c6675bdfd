"""encoder_block: makes a third norm that it never uses.

Question: encoder_block
Mistakes: slip
Deserves: 85 %
Fails: encoder_block_parts
Tell: The block has one part more than the docstring lists: leave it out.
"""


class TransformerEncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm1 = LayerNorm(d_model)
        self.norm2 = LayerNorm(d_model)
        self.norm3 = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        a, w = self.attention(x, x, x, mask)
        h = self.norm1(x + self.dropout(a))
        return self.norm2(h + self.dropout(self.feed_forward(h))), w
