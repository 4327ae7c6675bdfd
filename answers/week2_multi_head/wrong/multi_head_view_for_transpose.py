"""multi_head: cuts and joins by view alone, wrong both times.

Question: multi_head
Mistakes: concept
Deserves: 40 %
Fails: multi_head_worked, multi_head_output, multi_head_lengths, multi_head_mask
Tell: Two views without a swap undo each other, but inside the heads the words are mixed: cut the vectors,
    then swap.
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
        b = query.shape[0]
        Q = self.W_Q(query).view(b, self.num_heads, -1, self.d_k)
        K = self.W_K(key).view(b, self.num_heads, -1, self.d_k)
        V = self.W_V(value).view(b, self.num_heads, -1, self.d_k)
        out, weights = scaled_dot_product_attention(Q, K, V, mask)
        return self.W_O(out.reshape(b, -1, self.num_heads * self.d_k)), weights
