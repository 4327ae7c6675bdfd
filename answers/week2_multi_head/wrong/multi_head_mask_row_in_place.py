"""multi_head: allows each query its own key, in the mask of the caller.

Question: multi_head
Mistakes: slip
Deserves: 80 %
Fails: multi_head_hidden_arguments
Tell: The mask that was handed in is changed: pass it on as it is, or work on a copy.
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
        given = mask
        if mask is not None:
            given = mask.clone()
            if mask.shape[-1] == mask.shape[-2]:
                mask.diagonal(dim1=-2, dim2=-1).fill_(True)
        heads, weights = scaled_dot_product_attention(Q, K, V, given)
        return self.W_O(merge_heads(heads)), weights
