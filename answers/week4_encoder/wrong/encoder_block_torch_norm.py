"""encoder_block: PyTorch's LayerNorm, whose parameters are called weight and bias.

Question: encoder_block
Mistakes: slip
Deserves: 80 %
Fails: encoder_block_parts
Tell: norm1 and norm2 should be the LayerNorm of question 1, with gamma and beta: PyTorch's parameters have other
    names.
"""


class TransformerEncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.norm2 = nn.LayerNorm(d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + self.dropout(attended))
        digested = self.linear2(torch.relu(self.linear1(x)))
        return self.norm2(x + self.dropout(digested)), weights
