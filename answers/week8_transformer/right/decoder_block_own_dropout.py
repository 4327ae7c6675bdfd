"""decoder_block: dropout from random numbers, one helper for the three sublayers.

Question: decoder_block
"""


class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.norm1 = LayerNorm(d_model)
        self.norm2 = LayerNorm(d_model)
        self.norm3 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.cross_attention = MultiHeadAttention(d_model, num_heads)
        self.p = dropout

    def sublayer(self, x, out, norm):
        if self.training and self.p > 0:
            out = out * (torch.rand_like(out) >= self.p).float() / (1 - self.p)
        return norm(x + out)

    def forward(self, x, memory, tgt_mask=None, src_mask=None):
        x = self.sublayer(x, self.self_attention(x, x, x, tgt_mask)[0], self.norm1)
        out, weights = self.cross_attention(x, memory, memory, src_mask)
        x = self.sublayer(x, out, self.norm2)
        return self.sublayer(x, self.feed_forward(x), self.norm3), weights
