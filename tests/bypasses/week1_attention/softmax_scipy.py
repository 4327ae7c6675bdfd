"""scipy's, imported in the answer's own cell."""

from scipy.special import softmax as ready


def softmax(x, axis=-1):
    return ready(np.asarray(x, dtype=float), axis=axis)
