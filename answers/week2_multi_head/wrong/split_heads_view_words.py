"""split_heads: joins batch and words by view before cutting.

Question: split_heads
Mistakes: slip
Deserves: 80 %
Fails: split_heads_hidden_layout
Tell: view cannot join batch and words of a tensor whose numbers are not contiguous: leave both alone, or use
    reshape.
"""


def split_heads(x, num_heads):
    batch, seq, d_model = x.shape
    flat = x.view(batch * seq, num_heads, d_model // num_heads)
    return flat.reshape(batch, seq, num_heads, -1).transpose(1, 2)
