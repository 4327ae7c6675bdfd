"""multi_head: refuses only some of the numbers that do not divide d_model.

Question: multi_head
Mistakes: slip
Deserves: 90 %
Fails: multi_head_error
Tell: Some numbers of heads that do not divide d_model are accepted: raise the error whenever d_model %
    num_heads is not 0.
"""


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads % 2 == 1 or num_heads > d_model or (d_model % num_heads == 4):
            raise ValueError(f"d_model {d_model} is not a multiple of num_heads {num_heads}")
        self.num_heads = num_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        Q = split_heads(self.W_Q(query), self.num_heads)
        K = split_heads(self.W_K(key), self.num_heads)
        V = split_heads(self.W_V(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(Q, K, V, mask)
        return self.W_O(merge_heads(heads)), weights
