"""softmax: subtracts x from the maximum instead of the maximum from x.

Question: softmax
Mistakes: slip
Deserves: 55 %
Fails: softmax_rows, softmax_hidden_stable
Tell: The largest score gets the smallest weight, so the sign of the exponent is wrong: it should be x minus
    the largest score.
"""


def softmax(x, axis=-1):
    e = np.exp(np.max(x, axis=axis, keepdims=True) - x)
    return e / e.sum(axis=axis, keepdims=True)
