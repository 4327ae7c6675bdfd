"""decoder_block: the cross-attention before the self-attention.

Question: decoder_block
Mistakes: concept
Deserves: 50 %
Fails: decoder_block_output
Tell: The order should be self-attention, then cross-attention: the query of the latter must know what was
    written.
"""


class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.cross_attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm1, self.norm2, self.norm3 = LayerNorm(d_model), LayerNorm(d_model), LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, tgt_mask=None, src_mask=None):
        heard, weights = self.cross_attention(x, memory, memory, src_mask)
        x = self.norm2(x + self.dropout(heard))
        x = self.norm1(x + self.dropout(self.self_attention(x, x, x, tgt_mask)[0]))
        return self.norm3(x + self.dropout(self.feed_forward(x))), weights
