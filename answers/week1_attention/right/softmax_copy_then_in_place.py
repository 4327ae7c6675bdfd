"""softmax: works in place, but on a copy of its own.

Question: softmax
"""


def softmax(x, axis=-1):
    x = np.array(x, dtype=float)
    x -= np.max(x, axis, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis, keepdims=True)
    return x
    raise NotImplementedError("week 1, softmax: not written yet")
