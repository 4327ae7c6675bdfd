"""softmax: the formula as printed, without subtracting the largest entry.

Question: softmax
Fails: softmax_large, softmax_hidden_stable
Tell: Large entries overflow: np.exp(1000) is inf and inf/inf is NaN, so subtract the largest entry along
    the axis before np.exp.
"""


def softmax(x, axis=-1):
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)
