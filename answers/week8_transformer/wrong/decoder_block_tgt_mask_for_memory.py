"""decoder_block: takes tgt_mask for the memory where there is no src_mask.

Question: decoder_block
Mistakes: slip
Deserves: 80 %
Fails: decoder_block_target_mask
Tell: Without src_mask, tgt_mask acts on the memory, too: it should be for the self-attention alone.
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
        if src_mask is None and memory.size(1) == x.size(1):
            src_mask = tgt_mask
        spoken, _ = self.self_attention(x, x, x, tgt_mask)
        first = self.norm1(x + self.dropout(spoken))
        heard, weights = self.cross_attention(first, memory, memory, src_mask)
        second = self.norm2(first + self.dropout(heard))
        return self.norm3(second + self.dropout(self.feed_forward(second))), weights
