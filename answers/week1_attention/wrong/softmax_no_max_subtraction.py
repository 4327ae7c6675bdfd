"""softmax: the formula as printed, without subtracting the largest entry.

Question: softmax
Mistakes: concept
Deserves: 55 %
Fails: softmax_large, softmax_hidden_stable
Tell: np.exp of a score near 1000 is inf, and inf/inf is nan: subtract the largest score along the axis
    before np.exp.
"""


def softmax(x, axis=-1):
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)
