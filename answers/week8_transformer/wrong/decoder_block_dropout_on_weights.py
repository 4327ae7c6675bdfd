"""decoder_block: drops out attention weights, as some libraries do.

Question: decoder_block
Mistakes: slip
Deserves: 80 %
Fails: decoder_block_hidden_dropout
Tell: Dropout acts on the attention weights: apply it only to the outputs of the three parts.
"""


class DroppingAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout):
        super().__init__(d_model, num_heads)
        self.p = dropout

    def forward(self, query, key, value, mask=None):
        def split(x):
            return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

        Q, K, V = split(self.W_Q(query)), split(self.W_K(key)), split(self.W_V(value))
        _, weights = scaled_dot_product_attention(Q, K, V, mask)
        heard = F.dropout(weights, self.p, self.training) @ V
        return self.W_O(heard.transpose(1, 2).flatten(2)), weights


class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.self_attention = DroppingAttention(d_model, num_heads, dropout)
        self.cross_attention = DroppingAttention(d_model, num_heads, dropout)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm1 = LayerNorm(d_model)
        self.norm2 = LayerNorm(d_model)
        self.norm3 = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, tgt_mask=None, src_mask=None):
        heard, _ = self.self_attention(x, x, x, tgt_mask)
        x1 = self.norm1(x + self.dropout(heard))
        heard, weights = self.cross_attention(x1, memory, memory, src_mask)
        x2 = self.norm2(x1 + self.dropout(heard))
        output = self.norm3(x2 + self.dropout(self.feed_forward(x2)))
        return output, weights
