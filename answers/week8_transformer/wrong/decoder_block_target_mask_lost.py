"""decoder_block: does not hand on the target mask.

Question: decoder_block
Mistakes: slip
Deserves: 70 %
Fails: decoder_block_target_mask
Tell: The self-attention has to get tgt_mask, with or without a src_mask: hand it on in every case.
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
        heard, _ = self.self_attention(x, x, x)
        x = self.norm1(x + self.dropout(heard))
        heard, weights = self.cross_attention(x, memory, memory, src_mask)
        x = self.norm2(x + self.dropout(heard))
        x = self.norm3(x + self.dropout(self.feed_forward(x)))
        return x, weights
