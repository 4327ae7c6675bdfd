"""encoder_block: detaches what it adds.

Question: encoder_block
Mistakes: slip
Deserves: 80 %
Fails: encoder_block_hidden_gradient
Tell: The values are right, but no gradient passes along a residual connection: add x itself, without detach(), .data
    or no_grad().
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
        h = self.norm1(x.detach() + self.dropout(a))
        return self.norm2(h.detach() + self.dropout(self.feed_forward(h))), w
