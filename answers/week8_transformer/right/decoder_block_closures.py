"""decoder_block: a loop over three functions and their norms.

Question: decoder_block
"""


class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.self_attention, self.cross_attention = [MultiHeadAttention(d_model, num_heads) for _ in range(2)]
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm1, self.norm2, self.norm3 = [LayerNorm(d_model, eps=1e-5) for _ in range(3)]
        self.rate = dropout

    def forward(self, x, memory, tgt_mask=None, src_mask=None):
        kept = {}

        def self_attend(h):
            return self.self_attention(h, h, h, tgt_mask)[0]

        def cross_attend(h):
            heard, kept["weights"] = self.cross_attention(h, memory, memory, src_mask)
            return heard

        steps = [(self_attend, self.norm1), (cross_attend, self.norm2), (self.feed_forward, self.norm3)]
        for part, norm in steps:
            x = norm(x + F.dropout(part(x), p=self.rate, training=self.training))
        return x, kept["weights"]
