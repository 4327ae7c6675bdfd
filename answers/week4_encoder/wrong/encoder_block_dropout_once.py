"""encoder_block: dropout on the attention only.

Question: encoder_block
Mistakes: slip
Deserves: 80 %
Fails: encoder_block_hidden_dropout
Tell: The feed-forward network's result is never dropped: both sublayers should get dropout.
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
        return self.norm2(x + self.feed_forward(x)), w
