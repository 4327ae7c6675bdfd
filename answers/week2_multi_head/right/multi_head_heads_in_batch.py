"""multi_head: folds the heads into the batch and uses bmm.

Question: multi_head
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
        b, n_q, d_model = query.shape
        n_k = key.shape[1]
        h = self.num_heads

        def fold(x):
            return torch.cat(x.split(self.d_k, dim=-1), dim=0)  # (heads * batch, seq, d_k)

        q, k, v = fold(self.W_Q(query)), fold(self.W_K(key)), fold(self.W_V(value))
        scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(self.d_k)
        if mask is not None:
            full = mask.expand(b, h, n_q, n_k).transpose(0, 1).reshape(h * b, n_q, n_k)
            scores = scores.masked_fill(full.logical_not(), -1e9)
        weights = torch.softmax(scores, dim=-1)
        out = torch.cat(torch.bmm(weights, v).split(b, dim=0), dim=-1)
        return self.W_O(out), weights.reshape(h, b, n_q, n_k).transpose(0, 1)
