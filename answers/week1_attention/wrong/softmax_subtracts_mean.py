"""softmax: subtracts the mean instead of the largest entry.

Question: softmax
Fails: softmax_hidden_stable, softmax_hidden_edges
Tell: Subtracting the mean still leaves large positive exponents that overflow: subtract the largest entry
    along the axis, so that no exponent is above 0.
"""


def softmax(x, axis=-1):
    e = np.exp(x - np.mean(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
