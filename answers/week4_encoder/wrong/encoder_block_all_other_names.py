"""encoder_block: no part has its name, and they are made in the order in which they are used.

Question: encoder_block
Mistakes: slip
Deserves: 80 %
Fails: encoder_block_parts
Tell: The parts must be called attention, feed_forward, norm1 and norm2; what the block computes is right.
"""


class TransformerEncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.mha = MultiHeadAttention(d_model, num_heads)
        self.attention_norm = LayerNorm(d_model)
        self.ffn = nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))
        self.ffn_norm = LayerNorm(d_model)
        self.drop1, self.drop2 = nn.Dropout(dropout), nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.mha(x, x, x, mask)
        x = self.attention_norm(x + self.drop1(attended))
        return self.ffn_norm(x + self.drop2(self.ffn(x))), weights
