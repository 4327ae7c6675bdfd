"""multi_head: adds a dimension for the heads to every mask.

Question: multi_head
Mistakes: slip
Deserves: 75 %
Fails: multi_head_mask, multi_head_hidden_mask_shapes, multi_head_hidden_arguments
Tell: The mask gets a dimension that the docstring does not ask for: leave its shape alone, since it
    broadcasts to (batch, heads, query, key).
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
        Q = split_heads(self.W_Q(query), self.num_heads)
        K = split_heads(self.W_K(key), self.num_heads)
        V = split_heads(self.W_V(value), self.num_heads)
        if mask is not None:
            mask = mask.unsqueeze(1)  # the same for every head
        out, weights = scaled_dot_product_attention(Q, K, V, mask)
        return self.W_O(merge_heads(out)), weights
