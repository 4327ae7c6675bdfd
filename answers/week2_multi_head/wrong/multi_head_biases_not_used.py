"""multi_head: multiplies by the matrices of the layers and leaves out their biases.

Question: multi_head
Mistakes: slip
Deserves: 80 %
Fails: multi_head_hidden_gradient
Tell: The biases are never added: call the layer itself, as in self.W_Q(query).
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
        Q = split_heads(query @ self.W_Q.weight.T, self.num_heads)
        K = split_heads(key @ self.W_K.weight.T, self.num_heads)
        V = split_heads(value @ self.W_V.weight.T, self.num_heads)
        out, weights = scaled_dot_product_attention(Q, K, V, mask)
        return merge_heads(out) @ self.W_O.weight.T, weights
