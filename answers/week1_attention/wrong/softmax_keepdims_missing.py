"""softmax: forgets keepdims, so the maxima do not line up with their rows.

Question: softmax
Fails: softmax_rows, softmax_axis, softmax_large, softmax_hidden_stable, softmax_hidden_edges
Tell: The maximum and the sum have lost the axis that you reduced and no longer line up with x: pass
    keepdims=True to both.
"""


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis))
    return e / np.sum(e, axis=axis)
