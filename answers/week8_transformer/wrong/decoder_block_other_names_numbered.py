"""decoder_block: the attentions are numbered, the norms begin at 0.

Question: decoder_block
Mistakes: slip
Deserves: 85 %
Fails: decoder_block_parts
Tell: What the block computes is right, but a number does not say which attention is meant: call them self_attention
    and cross_attention, and count the norms from 1.
"""


class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.attention1 = MultiHeadAttention(d_model, num_heads)
        self.attention2 = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm0 = LayerNorm(d_model)
        self.norm_1 = LayerNorm(d_model)
        self.norm_2 = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, tgt_mask=None, src_mask=None):
        heard, _ = self.attention1(x, x, x, tgt_mask)
        x1 = self.norm0(x + self.dropout(heard))
        heard, weights = self.attention2(x1, memory, memory, src_mask)
        x2 = self.norm_1(x1 + self.dropout(heard))
        output = self.norm_2(x2 + self.dropout(self.feed_forward(x2)))
        return output, weights
