"""encoder_block: adds the attention to x in place where no gradient is wanted.

Question: encoder_block
Mistakes: slip
Deserves: 85 %
Fails: encoder_block_hidden_gradient
Tell: The caller's x is changed where no gradient is computed, as in torch.no_grad(): compute x + ... as a new tensor,
    without `x += ...` or a method whose name ends in `_`.
"""


class TransformerEncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        if torch.is_grad_enabled():
            x = x + self.dropout(attended)
        else:
            x += self.dropout(attended)
        h = self.norm1(x)
        return self.norm2(h + self.dropout(self.feed_forward(h))), weights
