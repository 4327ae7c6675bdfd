"""multi_head: gives each head its own rows of the weights, and no tensor is split.

Question: multi_head
"""


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{d_model=} {num_heads=}")
        self.heads, self.size = num_heads, d_model // num_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def one(self, q, k, v, mask, h):
        part = slice(h * self.size, (h + 1) * self.size)
        q = F.linear(q, self.W_Q.weight[part], self.W_Q.bias[part])
        k = F.linear(k, self.W_K.weight[part], self.W_K.bias[part])
        v = F.linear(v, self.W_V.weight[part], self.W_V.bias[part])
        return scaled_dot_product_attention(q, k, v, mask)

    def forward(self, query, key, value, mask=None):
        if mask is not None:
            mask = mask.expand(query.shape[0], self.heads, query.shape[1], key.shape[1])
        done = [
            self.one(query, key, value, None if mask is None else mask[:, h], h) for h in range(self.heads)
        ]
        return self.W_O(torch.cat([o for o, _ in done], -1)), torch.stack([w for _, w in done], 1)
