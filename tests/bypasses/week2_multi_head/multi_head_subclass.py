"""A subclass of the module of torch."""


class Ready(nn.MultiheadAttention):
    pass


kept = {}


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
        module = Ready(query.shape[-1], self.num_heads, batch_first=True, dtype=query.dtype).eval()
        parts = {
            "in_proj_weight": torch.cat([self.W_Q.weight, self.W_K.weight, self.W_V.weight]),
            "in_proj_bias": torch.cat([self.W_Q.bias, self.W_K.bias, self.W_V.bias]),
            "out_proj.weight": self.W_O.weight,
            "out_proj.bias": self.W_O.bias,
        }
        mask = self.masked(query, key, mask)
        more = {"average_attn_weights": False, "attn_mask": None if mask is None else ~mask.flatten(0, 1)}
        return torch.func.functional_call(module, parts, (query, key, value), more)
