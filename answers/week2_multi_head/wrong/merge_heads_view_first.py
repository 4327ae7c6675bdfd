"""merge_heads: joins batch and heads by view.

Question: merge_heads
Mistakes: slip
Deserves: 80 %
Fails: merge_heads_hidden_layout
Tell: view cannot join batch and heads of a transposed tensor, as split_heads gives it: use reshape.
"""


def merge_heads(x):
    b, h, s, d = x.shape
    rows = x.view(b * h, s, d)
    return torch.stack([torch.cat(list(rows[i * h : (i + 1) * h]), dim=-1) for i in range(b)])
