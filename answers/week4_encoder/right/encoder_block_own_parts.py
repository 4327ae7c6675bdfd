"""encoder_block: brings its own norm and network, with the contract's names.

Question: encoder_block
"""


class MyNorm(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(size))
        self.beta = nn.Parameter(torch.zeros(size))

    def forward(self, x):
        var, mean = torch.var_mean(x, -1, correction=0, keepdim=True)
        return self.gamma * (x - mean) / (var + 1e-5).sqrt() + self.beta


class MyNetwork(nn.Module):
    def __init__(self, size, inner):
        super().__init__()
        self.linear1, self.linear2 = nn.Linear(size, inner), nn.Linear(inner, size)

    def forward(self, x):
        return self.linear2(self.linear1(x).relu())


class TransformerEncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = MyNetwork(d_model, d_ff)
        self.norm1 = MyNorm(d_model)
        self.norm2 = MyNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        a, w = self.attention(x, x, x, mask)
        x = self.norm1(x + self.dropout(a))
        return self.norm2(x + self.dropout(self.feed_forward(x))), w
