"""softmax: divides by the sum of everything.

Question: softmax
Fails: softmax_rows, softmax_axis, softmax_large, softmax_hidden_stable, softmax_hidden_edges,
    softmax_hidden_input
Tell: The weights sum to 1 over the whole array, not along `axis`: give the sum axis=axis and keepdims=True.
"""


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x))
    return e / np.sum(e)
