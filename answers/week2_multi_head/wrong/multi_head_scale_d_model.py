"""multi_head: divides the scores by the root of d_model.

Question: multi_head
Mistakes: slip
Deserves: 75 %
Fails: multi_head_worked
Tell: Each head's keys have d_k numbers, so the scale should be the root of d_k, not of d_model.
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
        scores = Q @ K.transpose(-2, -1) / math.sqrt(query.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        return self.W_O(merge_heads(weights @ V)), weights
