"""encoder_block: drops the same numbers at all positions of a sentence.

Question: encoder_block
Mistakes: slip
Deserves: 85 %
Fails: encoder_block_hidden_dropout
Tell: All positions of a sentence lose the same numbers: call nn.Dropout on the whole result of the sublayer.
"""


class TransformerEncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        def drop(y):
            return y * self.dropout(torch.ones_like(y[:, :1]))

        attended, weights = self.attention(x, x, x, mask)
        h = self.norm1(x + drop(attended))
        return self.norm2(h + drop(self.feed_forward(h))), weights
