"""decoder_block: overwrites the vectors of the memory that are hidden.

Question: decoder_block
Mistakes: slip
Deserves: 80 %
Fails: decoder_block_hidden_gradient
Tell: The vectors of the memory that src_mask hides are overwritten in the tensor of the caller: the mask hides them, so
    leave the memory as it is.
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
        if src_mask is not None and src_mask.shape[1:3] == (1, 1):
            unseen = ~src_mask.reshape(src_mask.shape[0], -1, 1)
            with torch.no_grad():
                memory.masked_fill_(unseen, 0)
        spoken, _ = self.self_attention(x, x, x, tgt_mask)
        first = self.norm1(x + self.dropout(spoken))
        heard, weights = self.cross_attention(first, memory, memory, src_mask)
        second = self.norm2(first + self.dropout(heard))
        return self.norm3(second + self.dropout(self.feed_forward(second))), weights
