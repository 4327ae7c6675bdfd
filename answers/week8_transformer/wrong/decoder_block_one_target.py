"""decoder_block: adds the input of the block to what the cross-attention gives if there is one position.

Question: decoder_block
Mistakes: slip
Deserves: 75 %
Fails: decoder_block_output, decoder_block_hidden_dropout
Tell: With a single target position the second sum adds the block's input: add the result of norm1, however long the
    target is.
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
        first = self.norm1(x + self.dropout(spoken))
        heard, weights = self.cross_attention(first, memory, memory, src_mask)
        second = self.norm2((x if x.size(1) == 1 else first) + self.dropout(heard))
        return self.norm3(second + self.dropout(self.feed_forward(second))), weights
