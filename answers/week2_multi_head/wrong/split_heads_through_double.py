"""split_heads: copies the numbers into float64 zeros, and back into the dtype of x.

Question: split_heads
Mistakes: slip
Deserves: 80 %
Fails: split_heads_sizes
Tell: The numbers pass through a float dtype, which rounds large integers: give new tensors dtype=x.dtype,
    or cut x itself.
"""


def split_heads(x, num_heads):
    batch, seq, d_model = x.shape
    d_k = d_model // num_heads
    result = torch.zeros(batch, num_heads, seq, d_k, dtype=torch.float64, device=x.device)
    for head in range(num_heads):
        result[:, head] = x[:, :, head * d_k : (head + 1) * d_k]
    return result.to(x.dtype)
