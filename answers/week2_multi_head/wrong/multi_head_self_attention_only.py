"""multi_head: reshapes the keys with the length of the query.

Question: multi_head
Mistakes: concept
Deserves: 45 %
Fails: multi_head_worked, multi_head_lengths, multi_head_mask, multi_head_hidden_mask_shapes,
    multi_head_hidden_sizes
Tell: Keys and values may differ in length from the queries: take their length from their own shape.
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
        batch, seq, d_model = query.shape
        shape = (batch, seq, self.num_heads, self.d_k)
        Q = self.W_Q(query).view(shape).transpose(1, 2)
        K = self.W_K(key).view(shape).transpose(1, 2)
        V = self.W_V(value).view(shape).transpose(1, 2)
        out, weights = scaled_dot_product_attention(Q, K, V, mask)
        out = out.transpose(1, 2).reshape(batch, seq, d_model)
        return self.W_O(out), weights
