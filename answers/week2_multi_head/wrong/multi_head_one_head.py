"""multi_head: computes one attention and returns its weights once per head.

Question: multi_head
Mistakes: concept
Deserves: 35 %
Fails: multi_head_worked, multi_head_lengths, multi_head_hidden_mask_shapes
Tell: All heads have the weights of one large head: split query, key and value before the attention.
"""


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model {d_model} is not divisible by num_heads {num_heads}")
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        if mask is not None and mask.dim() == 4:
            mask = mask[:, 0]
        out, weights = scaled_dot_product_attention(self.W_Q(query), self.W_K(key), self.W_V(value), mask)
        return self.W_O(out), weights.unsqueeze(1).repeat(1, self.num_heads, 1, 1)
