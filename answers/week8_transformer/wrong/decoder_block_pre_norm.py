"""decoder_block: norms before the parts, not after the sums.

Question: decoder_block
Mistakes: slip
Deserves: 60 %
Fails: decoder_block_output
Tell: This is pre-norm: each norm should take the sum of what went into the part and what the part gives.
"""


class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.cross_attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm1 = LayerNorm(d_model)
        self.norm2 = LayerNorm(d_model)
        self.norm3 = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, tgt_mask=None, src_mask=None):
        y = self.norm1(x)
        heard, _ = self.self_attention(y, y, y, tgt_mask)
        x = x + self.dropout(heard)
        heard, weights = self.cross_attention(self.norm2(x), memory, memory, src_mask)
        x = x + self.dropout(heard)
        x = x + self.dropout(self.feed_forward(self.norm3(x)))
        return x, weights
