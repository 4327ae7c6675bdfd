"""multi_head: keeps the scale as a buffer, which the state of the module then has besides the parameters.

Question: multi_head
"""


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"d_model {d_model} cannot be shared out among num_heads {num_heads}")
        self.num_heads = num_heads
        self.W_Q, self.W_K, self.W_V, self.W_O = (nn.Linear(d_model, d_model) for _ in range(4))
        self.register_buffer("scale", torch.tensor((d_model // num_heads) ** -0.5))

    def forward(self, query, key, value, mask=None):
        Q, K, V = (
            split_heads(layer(x), self.num_heads)
            for layer, x in ((self.W_Q, query), (self.W_K, key), (self.W_V, value))
        )
        scores = torch.einsum("bhqd,bhkd->bhqk", Q, K) * self.scale.to(Q.dtype)
        if mask is not None:
            scores = torch.where(mask, scores, torch.full_like(scores, -torch.inf))
        weights = scores.softmax(-1)
        return self.W_O(merge_heads(weights @ V)), weights
