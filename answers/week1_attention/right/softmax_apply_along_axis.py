"""softmax: a helper for one vector above the function, applied along the axis.

Question: softmax
"""


def one_row(v):
    e = np.exp(v - v.max())
    return e / e.sum()


def softmax(x, axis=-1):
    return np.apply_along_axis(one_row, axis, np.asarray(x, dtype=np.float64))
