"""multi_head: squeezes both results.

Question: multi_head
Mistakes: slip
Deserves: 80 %
Fails: multi_head_worked, multi_head_mask, multi_head_hidden_sizes
Tell: Dimensions of length 1 are lost, usually by squeeze(): leave it out, or name the one dimension that
    should go.
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
        out, weights = scaled_dot_product_attention(Q, K, V, mask)
        return self.W_O(merge_heads(out)).squeeze(), weights.squeeze()
