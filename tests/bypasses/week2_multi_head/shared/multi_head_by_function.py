"""Multi-head attention by `function`, which is torch's whole function for it."""


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

    def forward(self, query, key, value, mask=None):
        mask = self.masked(query, key, mask)
        output, weights = function(
            query.transpose(0, 1),
            key.transpose(0, 1),
            value.transpose(0, 1),
            query.shape[-1],
            self.num_heads,
            None,
            torch.cat([self.W_Q.bias, self.W_K.bias, self.W_V.bias]),
            None,
            None,
            False,
            0.0,
            self.W_O.weight,
            self.W_O.bias,
            use_separate_proj_weight=True,
            average_attn_weights=False,
            q_proj_weight=self.W_Q.weight,
            k_proj_weight=self.W_K.weight,
            v_proj_weight=self.W_V.weight,
            attn_mask=None if mask is None else ~mask.flatten(0, 1),
        )
        return output.transpose(0, 1), weights
