"""decoder_block: detaches the memory.

Question: decoder_block
Mistakes: slip
Deserves: 70 %
Fails: decoder_block_hidden_gradient
Tell: No gradient reaches the memory, so the encoder can learn nothing. The memory is cut off, as by detach() or
    torch.no_grad().
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
        heard, _ = self.self_attention(x, x, x, tgt_mask)
        x = self.norm1(x + self.dropout(heard))
        heard, weights = self.cross_attention(x, memory.detach(), memory.detach(), src_mask)
        x = self.norm2(x + self.dropout(heard))
        x = self.norm3(x + self.dropout(self.feed_forward(x)))
        return x, weights
