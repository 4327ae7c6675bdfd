"""decoder_block: returns its weights after dropout.

Question: decoder_block
Mistakes: slip
Deserves: 85 %
Fails: decoder_block_hidden_dropout
Tell: Dropout acts on the weights that are returned: return them as the cross-attention gives them.
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
        second = self.norm2(first + self.dropout(heard))
        return self.norm3(second + self.dropout(self.feed_forward(second))), self.dropout(weights)
