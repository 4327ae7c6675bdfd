"""multi_head: adds the bias of W_O once for every head.

Question: multi_head
Mistakes: slip
Deserves: 80 %
Fails: multi_head_hidden_gradient
Tell: The bias of W_O is added once for every head: add it once, to the sum, as self.W_O(...) does.
"""


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads != 0:
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
        blocks = self.W_O.weight.chunk(self.num_heads, dim=1)
        output = sum(F.linear(heads[:, i], block, self.W_O.bias) for i, block in enumerate(blocks))
        return output, weights
