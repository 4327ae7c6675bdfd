"""softmax: squeezes the result, so axes of length 1 disappear.

Question: softmax
Mistakes: slip
Deserves: 80 %
Fails: softmax_axis
Tell: Axes of length 1 are missing in the result, for example because of squeeze(): it should have the shape of x.
"""


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return np.squeeze(e / np.sum(e, axis=axis, keepdims=True))
