"""multi_head: makes the layers without biases.

Question: multi_head
Mistakes: slip
Deserves: 85 %
Fails: multi_head_layers
Tell: The layers should have biases: nn.Linear makes them unless bias=False is given.
"""


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model {d_model} is not divisible by num_heads {num_heads}")
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        self.W_Q = nn.Linear(d_model, d_model, bias=False)
        self.W_K = nn.Linear(d_model, d_model, bias=False)
        self.W_V = nn.Linear(d_model, d_model, bias=False)
        self.W_O = nn.Linear(d_model, d_model, bias=False)

    def forward(self, query, key, value, mask=None):
        Q = split_heads(self.W_Q(query), self.num_heads)
        K = split_heads(self.W_K(key), self.num_heads)
        V = split_heads(self.W_V(value), self.num_heads)
        out, weights = scaled_dot_product_attention(Q, K, V, mask)
        return self.W_O(merge_heads(out)), weights
