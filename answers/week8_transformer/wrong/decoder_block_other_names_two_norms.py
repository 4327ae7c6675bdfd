"""decoder_block: other names, and two norms for three parts.

Question: decoder_block
Mistakes: slip, slip
Deserves: 55 %
Fails: decoder_block_output, decoder_block_parts
Tell: A third norm is missing: each of the three parts has one of its own.
"""


class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads)
        self.cross_attn = MultiHeadAttention(d_model, num_heads)
        self.ffn = FeedForward(d_model, d_ff)
        self.ln1 = LayerNorm(d_model)
        self.ln2 = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, tgt_mask=None, src_mask=None):
        heard, _ = self.self_attn(x, x, x, tgt_mask)
        x1 = self.ln1(x + self.dropout(heard))
        heard, weights = self.cross_attn(x1, memory, memory, src_mask)
        x2 = self.ln2(x1 + self.dropout(heard))
        output = self.ln2(x2 + self.dropout(self.ffn(x2)))
        return output, weights
