"""decoder_block: drops src_mask if there is no tgt_mask.

Question: decoder_block
Mistakes: slip
Deserves: 85 %
Fails: decoder_block_source_mask
Tell: The cross-attention gets no mask where only src_mask is given: hand src_mask to it in every case.
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
        if tgt_mask is None:
            src_mask = None
        own, _ = self.self_attention(x, x, x, tgt_mask)
        x1 = self.norm1(x + self.dropout(own))
        other, weights = self.cross_attention(x1, memory, memory, src_mask)
        x2 = self.norm2(x1 + self.dropout(other))
        x3 = self.norm3(x2 + self.dropout(self.feed_forward(x2)))
        return x3, weights
