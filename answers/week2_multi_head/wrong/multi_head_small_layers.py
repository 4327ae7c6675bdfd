"""multi_head: makes layers of size d_k and applies them after the split.

Question: multi_head
Mistakes: concept
Deserves: 25 %
Fails: multi_head_layers, multi_head_worked, multi_head_output, multi_head_lengths, multi_head_mask,
    multi_head_hidden_mask_shapes, multi_head_hidden_gradient, multi_head_hidden_sizes,
    multi_head_hidden_arguments
Tell: The layers are d_k by d_k and shared by all heads: make them d_model by d_model and apply them before
    the split.
"""


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = d_model // num_heads
        if self.head_dim * num_heads != d_model:
            raise ValueError(f"{d_model} needs to be divisible by {num_heads}")
        self.W_Q = nn.Linear(self.head_dim, self.head_dim)
        self.W_K = nn.Linear(self.head_dim, self.head_dim)
        self.W_V = nn.Linear(self.head_dim, self.head_dim)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        Q = self.W_Q(split_heads(query, self.num_heads))
        K = self.W_K(split_heads(key, self.num_heads))
        V = self.W_V(split_heads(value, self.num_heads))
        out, weights = scaled_dot_product_attention(Q, K, V, mask)
        return self.W_O(merge_heads(out)), weights
