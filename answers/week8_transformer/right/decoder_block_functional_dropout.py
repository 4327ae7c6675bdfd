"""decoder_block: F.dropout with the training flag, and torch.add.

Question: decoder_block
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
        self.p = dropout

    def forward(self, x, memory, tgt_mask=None, src_mask=None):
        heard, _ = self.self_attention(x, x, x, tgt_mask)
        x = self.norm1(torch.add(x, F.dropout(heard, self.p, self.training)))
        heard, weights = self.cross_attention(x, memory, memory, src_mask)
        x = self.norm2(torch.add(x, F.dropout(heard, self.p, self.training)))
        x = self.norm3(torch.add(x, F.dropout(self.feed_forward(x), self.p, self.training)))
        return x, weights
