"""decoder_block: no dropout unless it is asked for.

Question: decoder_block
Mistakes: slip
Deserves: 85 %
Fails: decoder_block_hidden_dropout
Tell: Without the argument nothing is dropped: the default of dropout should be 0.1.
"""


class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.cross_attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm1 = LayerNorm(d_model)
        self.norm2 = LayerNorm(d_model)
        self.norm3 = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, tgt_mask=None, src_mask=None):
        heard, _ = self.self_attention(x, x, x, tgt_mask)
        x1 = self.norm1(x + self.dropout(heard))
        heard, weights = self.cross_attention(x1, memory, memory, src_mask)
        x2 = self.norm2(x1 + self.dropout(heard))
        output = self.norm3(x2 + self.dropout(self.feed_forward(x2)))
        return output, weights
