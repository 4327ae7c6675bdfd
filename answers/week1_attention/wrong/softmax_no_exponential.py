"""softmax: shares out by size, without the exponential.

Question: softmax
Fails: softmax_rows, softmax_axis, softmax_large, softmax_hidden_stable, softmax_hidden_edges,
    softmax_hidden_input
Tell: The weights are proportional to x itself, and negative for negative entries: exponentiate before you
    divide by the sum.
"""


def softmax(x, axis=-1):
    return x / np.sum(x, axis=axis, keepdims=True)
