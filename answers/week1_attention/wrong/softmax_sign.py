"""softmax: subtracts x from the maximum instead of the maximum from x.

Question: softmax
Fails: softmax_rows, softmax_axis, softmax_large, softmax_hidden_stable, softmax_hidden_edges,
    softmax_hidden_input
Tell: The largest entry gets the smallest weight: the sign is turned round, exponentiate x - max and not max
    - x.
"""


def softmax(x, axis=-1):
    e = np.exp(np.max(x, axis=axis, keepdims=True) - x)
    return e / e.sum(axis=axis, keepdims=True)
