"""multi_head: leaves out W_O when there is one head.

Question: multi_head
Mistakes: slip
Deserves: 70 %
Fails: multi_head_output
Tell: With one head W_O is left out: it should be applied whatever the number of heads is.
"""


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{d_model} is not a multiple of {num_heads}")
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
        if self.num_heads == 1:
            return merge_heads(heads), weights
        return self.W_O(merge_heads(heads)), weights
