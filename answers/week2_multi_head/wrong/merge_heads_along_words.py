"""merge_heads: concatenates along the words.

Question: merge_heads
Mistakes: concept
Deserves: 35 %
Fails: merge_heads_columns, merge_heads_sizes
Tell: The heads follow one another along the words: concatenate them along the last dimension.
"""


def merge_heads(x):
    return torch.cat(x.unbind(1), dim=1)
