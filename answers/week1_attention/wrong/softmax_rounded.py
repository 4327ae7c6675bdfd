"""softmax: rounds the weights to two decimals.

Question: softmax
Fails: softmax_rows, softmax_axis, softmax_large, softmax_hidden_stable, softmax_hidden_edges,
    softmax_hidden_input
Tell: The weights are rounded and no longer sum to 1: return them as they are and round only when you print.
"""


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return np.round(e / e.sum(axis=axis, keepdims=True), 2)
