"""multi_head: uses assert where a ValueError is promised.

Question: multi_head
Mistakes: slip
Deserves: 90 %
Fails: multi_head_error
Tell: The error should be a ValueError: an assert raises AssertionError, so use if and raise, with both
    numbers.
"""


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        assert d_model % num_heads == 0, f"d_model {d_model} must be divisible by num_heads {num_heads}"
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
        out, weights = scaled_dot_product_attention(Q, K, V, mask)
        return self.W_O(merge_heads(out)), weights
