"""decoder_block: the cross-attention has another name and gets the target's mask.

Question: decoder_block
Mistakes: slip, concept
Deserves: 50 %
Fails: decoder_block_target_mask, decoder_block_source_mask, decoder_block_parts
Tell: The cross-attention needs src_mask: its keys are the source's.
"""


class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.cross_attn = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm1 = LayerNorm(d_model)
        self.norm2 = LayerNorm(d_model)
        self.norm3 = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, tgt_mask=None, src_mask=None):
        heard, _ = self.self_attention(x, x, x, tgt_mask)
        x1 = self.norm1(x + self.dropout(heard))
        heard, weights = self.cross_attn(x1, memory, memory, tgt_mask)
        x2 = self.norm2(x1 + self.dropout(heard))
        output = self.norm3(x2 + self.dropout(self.feed_forward(x2)))
        return output, weights
