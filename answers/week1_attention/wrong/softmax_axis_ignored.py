"""softmax: always works along the last axis.

Question: softmax
Fails: softmax_axis, softmax_hidden_stable, softmax_hidden_edges, softmax_hidden_input
Tell: The argument `axis` is never used: hand it to both the maximum and the sum.
"""


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)
