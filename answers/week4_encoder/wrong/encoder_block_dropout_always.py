"""encoder_block: F.dropout without the mode, so it is active in evaluation mode too.

Question: encoder_block
Mistakes: slip
Deserves: 75 %
Fails: encoder_block_dropout
Tell: Numbers are dropped in evaluation mode too, as F.dropout does unless it is told training=self.training: use
    nn.Dropout.
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
        x = self.norm1(x + F.dropout(a, self.dropout.p))
        return self.norm2(x + F.dropout(self.feed_forward(x), self.dropout.p)), w
