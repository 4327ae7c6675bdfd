"""merge_heads: copies the numbers into float32 zeros, and back into the dtype of x.

Question: merge_heads
Mistakes: slip
Deserves: 80 %
Fails: merge_heads_sizes
Tell: The numbers pass through a float dtype, which rounds large integers: give new tensors dtype=x.dtype,
    or join the heads of x itself.
"""


def merge_heads(x):
    batch, heads, seq, d_k = x.shape
    merged = torch.zeros(batch, seq, heads * d_k, device=x.device)
    for head in range(heads):
        merged[:, :, head * d_k : (head + 1) * d_k] = x[:, head]
    return merged.to(x.dtype)
