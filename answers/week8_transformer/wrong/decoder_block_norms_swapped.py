"""decoder_block: norm2 and norm3 change places.

Question: decoder_block
Mistakes: slip
Deserves: 75 %
Fails: decoder_block_output
Tell: norm2 should follow the cross-attention and norm3 the feed-forward network: yours are exchanged.
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
        heard, _ = self.self_attention(x, x, x, tgt_mask)
        x = self.norm1(x + self.dropout(heard))
        heard, weights = self.cross_attention(x, memory, memory, src_mask)
        x = self.norm3(x + self.dropout(heard))
        x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, weights
