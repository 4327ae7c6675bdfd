"""softmax: subtracts the logarithm of the sum before the only division-free exponential.

Question: softmax
"""


def softmax(x, axis=-1):
    m = x.max(axis=axis, keepdims=True)
    lse = m + np.log(np.exp(x - m).sum(axis=axis, keepdims=True))
    return np.exp(x - lse)
