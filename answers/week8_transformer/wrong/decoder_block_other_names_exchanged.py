"""decoder_block: the norms have other names, and two of them are exchanged.

Question: decoder_block
Mistakes: slip, slip
Deserves: 65 %
Fails: decoder_block_output, decoder_block_parts
Tell: The second norm is used first: the one that is numbered 1 should come after the self-attention.
"""


class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads)
        self.cross_attn = MultiHeadAttention(d_model, num_heads)
        self.ffn = FeedForward(d_model, d_ff)
        self.ln1 = LayerNorm(d_model)
        self.ln2 = LayerNorm(d_model)
        self.ln3 = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, tgt_mask=None, src_mask=None):
        heard, _ = self.self_attn(x, x, x, tgt_mask)
        x1 = self.ln2(x + self.dropout(heard))
        heard, weights = self.cross_attn(x1, memory, memory, src_mask)
        x2 = self.ln1(x1 + self.dropout(heard))
        output = self.ln3(x2 + self.dropout(self.ffn(x2)))
        return output, weights
