"""numpy's logarithm of a sum of exponentials, which was kept as a method of its function."""

ready = np.logaddexp.reduce


def softmax(x, axis=-1):
    x = np.array(x, dtype=float)
    return np.exp(x - ready(x, axis=axis, keepdims=True))
