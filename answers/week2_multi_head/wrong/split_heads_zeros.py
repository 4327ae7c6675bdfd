"""split_heads: fills a tensor of zeros, which is always float32.

Question: split_heads
Mistakes: slip
Deserves: 80 %
Fails: split_heads_sizes
Tell: The result is float32 whatever x is, as torch.zeros and float() make it: give new tensors
    dtype=x.dtype, or cut x itself.
"""


def split_heads(x, num_heads):
    batch, seq, d_model = x.shape
    d_k = d_model // num_heads
    out = torch.zeros(batch, num_heads, seq, d_k)
    for i in range(num_heads):
        out[:, i] = x[:, :, i * d_k : (i + 1) * d_k]
    return out
