"""decoder_block: no dropout anywhere.

Question: decoder_block
Mistakes: slip
Deserves: 75 %
Fails: decoder_block_hidden_dropout
Tell: Nothing is dropped in training: apply nn.Dropout(dropout) to the output of each part.
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

    def forward(self, x, memory, tgt_mask=None, src_mask=None):
        heard, _ = self.self_attention(x, x, x, tgt_mask)
        x = self.norm1(x + heard)
        heard, weights = self.cross_attention(x, memory, memory, src_mask)
        x = self.norm2(x + heard)
        x = self.norm3(x + self.feed_forward(x))
        return x, weights
