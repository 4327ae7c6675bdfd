"""merge_heads: multiplies each head by a matrix that puts its numbers in their places.

Question: merge_heads
Mistakes: slip
Deserves: 75 %
Fails: merge_heads_sizes
Tell: The matrix is float32, so other dtypes raise an error: give it dtype=x.dtype, or join the numbers
    without it.
"""


def merge_heads(x):
    heads, d_k = x.shape[1], x.shape[3]
    places = torch.eye(heads * d_k).reshape(heads, d_k, heads * d_k)
    return torch.einsum("bhsk,hkd->bsd", x, places)
