"""softmax: moves the axis to the end, works there and moves it back.

Question: softmax
"""


def softmax(x, axis=-1):
    y = np.swapaxes(x, axis, -1)
    y = np.exp(y - y.max(axis=-1)[..., None])
    y = y / y.sum(axis=-1)[..., None]
    return np.swapaxes(y, axis, -1)
