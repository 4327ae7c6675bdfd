"""split_heads: multiplies by matrices that pick the numbers of each head.

Question: split_heads
Mistakes: slip
Deserves: 75 %
Fails: split_heads_sizes
Tell: The matrix that picks the numbers is float32, so other dtypes raise an error: give it dtype=x.dtype, or
    cut x.
"""


def split_heads(x, num_heads):
    d_model = x.shape[2]
    pick = torch.eye(d_model).reshape(num_heads, d_model // num_heads, d_model)  # (heads, d_k, d_model)
    return torch.einsum("bsd,hkd->bhsk", x, pick)
