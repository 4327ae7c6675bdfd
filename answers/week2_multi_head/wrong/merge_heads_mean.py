"""merge_heads: averages the heads.

Question: merge_heads
Mistakes: concept
Deserves: 10 %
Fails: merge_heads_columns, merge_heads_sizes, merge_heads_hidden_layout, merge_heads_hidden_gradient
Tell: The heads were averaged: they must be placed side by side, so that nothing is lost.
"""


def merge_heads(x):
    return x.mean(dim=1)
