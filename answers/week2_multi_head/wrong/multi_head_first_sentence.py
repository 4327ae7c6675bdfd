"""multi_head: computes every head for the first sentence only.

Question: multi_head
Mistakes: slip
Deserves: 50 %
Fails: multi_head_output, multi_head_lengths, multi_head_hidden_mask_shapes, multi_head_hidden_sizes
Tell: Only item 0 of the batch is used: index the heads and keep the batch dimension.
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
        outputs, all_weights = [], []
        for h in range(self.num_heads):
            output, weights = scaled_dot_product_attention(Q[0, h], K[0, h], V[0, h], mask)
            outputs.append(output)
            all_weights.append(weights)
        concat = torch.cat(outputs, dim=-1)
        return self.W_O(concat).unsqueeze(0), torch.stack(all_weights).unsqueeze(0)
