"""softmax: keeps the dimension in the maximum, forgets it in the sum.

Question: softmax
Mistakes: slip
Deserves: 50 %
Fails: softmax_rows, softmax_axis, softmax_hidden_stable
Tell: The largest scores or the sums do not line up with the rows of x, because they have lost the axis along which
    they were computed: pass keepdims=True where it is missing.
"""


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis)
