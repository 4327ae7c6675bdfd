"""softmax: shares out by size, without the exponential.

Question: softmax
Mistakes: concept
Deserves: 10 %
Fails: softmax_rows, softmax_axis, softmax_large, softmax_hidden_stable, softmax_hidden_edges,
    softmax_hidden_input
Tell: The weights are the scores divided by their sum, so they can be negative: take np.exp of the scores
    first.
"""


def softmax(x, axis=-1):
    return x / np.sum(x, axis=axis, keepdims=True)
