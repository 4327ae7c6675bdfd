"""encoder_block: one norm that serves twice under two names.

Question: encoder_block
Mistakes: slip
Deserves: 60 %
Fails: encoder_block_parts, encoder_block_values
Tell: norm1 and norm2 are the same object, so they share gamma and beta: make two LayerNorms.
"""


class TransformerEncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm1 = self.norm2 = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        a, w = self.attention(x, x, x, mask)
        x = self.norm1(x + self.dropout(a))
        return self.norm2(x + self.dropout(self.feed_forward(x))), w
