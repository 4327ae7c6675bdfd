"""split_heads: one slice for each head, by a loop.

Question: split_heads
"""


def split_heads(x, num_heads):
    d_k = x.shape[2] // num_heads
    heads = []
    for i in range(num_heads):
        start = i * d_k
        heads.append(x[:, :, start : start + d_k].unsqueeze(1))
    return torch.cat(heads, dim=1)
