"""merge_heads: has the d_model of the first test in the code.

Question: merge_heads
Fails: merge_heads_sizes, merge_heads_hidden_layout, merge_heads_hidden_gradient
Tell: d_model is fixed at 6 in the code: compute it from the number of heads and d_k.
"""


def merge_heads(x):
    batch, _, seq, _ = x.shape
    return x.transpose(1, 2).reshape(batch, seq, 6)
