"""decoder_block: PyTorch's LayerNorm and three dropouts.

Question: decoder_block
"""


class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.cross_attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm1 = nn.LayerNorm(d_model, eps=1e-5)
        self.norm2 = nn.LayerNorm(d_model, eps=1e-5)
        self.norm3 = nn.LayerNorm(d_model, eps=1e-5)
        self.drop1, self.drop2, self.drop3 = nn.Dropout(dropout), nn.Dropout(dropout), nn.Dropout(dropout)

    def forward(self, x, memory, tgt_mask=None, src_mask=None):
        heard, _ = self.self_attention(x, x, x, tgt_mask)
        x = self.norm1(x + self.drop1(heard))
        heard, weights = self.cross_attention(x, memory, memory, src_mask)
        x = self.norm2(x + self.drop2(heard))
        x = self.norm3(x + self.drop3(self.feed_forward(x)))
        return x, weights
