"""decoder_block: adds to the tensor that it was given if no gradients are asked for.

Question: decoder_block
Mistakes: slip
Deserves: 80 %
Fails: decoder_block_hidden_gradient
Tell: Under torch.no_grad() the x of the caller is changed, for example by `+=` or a method that ends in `_`: make a
    new tensor there, too.
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
        spoken, _ = self.self_attention(x, x, x, tgt_mask)
        total = x + self.dropout(spoken) if torch.is_grad_enabled() else x.add_(self.dropout(spoken))
        first = self.norm1(total)
        heard, weights = self.cross_attention(first, memory, memory, src_mask)
        second = self.norm2(first + self.dropout(heard))
        return self.norm3(second + self.dropout(self.feed_forward(second))), weights
