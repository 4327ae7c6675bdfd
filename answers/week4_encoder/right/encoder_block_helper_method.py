"""encoder_block: the wrapping of a sublayer as a method.

Question: encoder_block
"""


class TransformerEncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.attention, self.feed_forward = MultiHeadAttention(d_model, num_heads), FeedForward(d_model, d_ff)
        self.norm1, self.norm2 = (LayerNorm(d_model) for _ in range(2))
        self.dropout = nn.Dropout(dropout)

    def wrap(self, x, change, norm):
        return norm(torch.add(x, self.dropout(change)))

    def forward(self, x, mask=None):
        change, weights = self.attention(x, x, x, mask=mask)
        h = self.wrap(x, change, self.norm1)
        return self.wrap(h, self.feed_forward(h), self.norm2), weights
