"""multi_head: inverts the mask in place.

Question: multi_head
Mistakes: slip
Deserves: 80 %
Fails: multi_head_hidden_arguments
Tell: The mask of the caller is overwritten, as by a method whose name ends in `_` or by an assignment to
    entries: ~mask and clone() give new tensors.
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
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_k)
        if mask is not None:
            scores = scores.masked_fill(mask.logical_not_(), float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = weights @ V
        return self.W_O(merge_heads(out)), weights
