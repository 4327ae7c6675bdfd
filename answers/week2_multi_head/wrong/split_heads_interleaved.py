"""split_heads: puts d_k before the heads, so each head gets every third number.

Question: split_heads
Mistakes: slip
Deserves: 60 %
Fails: split_heads_columns
Tell: Head i has the numbers i, i + heads, i + 2 heads and so on: it should have d_k adjacent numbers, as a
    slice from i * d_k gives them, or a reshape to (..., heads, d_k) and then a swap of heads and words.
"""


def split_heads(x, num_heads):
    batch, seq, d_model = x.shape
    d_k = d_model // num_heads
    return x.reshape(batch, seq, d_k, num_heads).permute(0, 3, 1, 2)
