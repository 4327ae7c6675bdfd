"""encoder_block: drops one number in ten, whatever the argument says.

Question: encoder_block
Mistakes: slip
Deserves: 75 %
Fails: encoder_block_dropout, encoder_block_hidden_dropout
Tell: The argument dropout has no effect: hand it to nn.Dropout.
"""


class TransformerEncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm1 = LayerNorm(d_model)
        self.norm2 = LayerNorm(d_model)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x, mask=None):
        a, w = self.attention(x, x, x, mask)
        h = self.norm1(x + self.dropout(a))
        return self.norm2(h + self.dropout(self.feed_forward(h))), w
