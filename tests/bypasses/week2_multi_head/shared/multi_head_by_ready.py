"""Multi-head attention whose scaled dot products come from `ready(Q, K, V, mask)`."""


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{d_model} is not a multiple of {num_heads}")
        self.num_heads = num_heads
        self.W_Q, self.W_K, self.W_V, self.W_O = (nn.Linear(d_model, d_model) for _ in range(4))

    def masked(self, query, key, mask):
        if mask is None:
            return None
        return mask.expand(len(query), self.num_heads, query.shape[1], key.shape[1])

    def split(self, x):
        return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def forward(self, query, key, value, mask=None):
        Q, K, V = self.split(self.W_Q(query)), self.split(self.W_K(key)), self.split(self.W_V(value))
        eye = torch.eye(key.shape[1], dtype=V.dtype).expand(*K.shape[:2], -1, -1)
        mask = self.masked(query, key, mask)
        return self.W_O(ready(Q, K, V, mask).transpose(1, 2).flatten(2)), ready(Q, K, eye, mask)
