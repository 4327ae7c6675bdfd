"""softmax: forgets keepdims, so the maxima do not line up with their rows.

Question: softmax
Mistakes: slip
Deserves: 50 %
Fails: softmax_rows, softmax_axis, softmax_hidden_stable
Tell: The largest scores, the sums or both have lost the axis along which they were computed, so they do not fit the
    rows of x: keepdims=True keeps it.
"""


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis))
    return e / np.sum(e, axis=axis)
