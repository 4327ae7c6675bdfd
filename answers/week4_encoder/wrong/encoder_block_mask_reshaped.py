"""encoder_block: adds a heads dimension to every mask.

Question: encoder_block
Mistakes: slip
Deserves: 80 %
Fails: encoder_block_hidden_sizes
Tell: A mask with four dimensions does not get through: it broadcasts as it is, so hand it on without unsqueeze() or
    the like.
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
        if mask is not None:
            mask = mask.unsqueeze(1) if mask.dim() > 2 else mask
        a, w = self.attention(x, x, x, mask)
        x = self.norm1(x + self.dropout(a))
        return self.norm2(x + self.dropout(self.feed_forward(x))), w
