"""encoder_block: without the argument, nothing is dropped.

Question: encoder_block
Mistakes: slip
Deserves: 85 %
Fails: encoder_block_hidden_dropout
Tell: The argument dropout should have the default 0.1.
"""


class TransformerEncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm1 = LayerNorm(d_model)
        self.norm2 = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        out, weights = self.attention(query=x, key=x, value=x, mask=mask)
        h = self.norm1(torch.add(x, self.dropout(out)))
        y = self.norm2(torch.add(h, self.dropout(self.feed_forward(h))))
        return y, weights
