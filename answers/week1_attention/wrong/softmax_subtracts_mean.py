"""softmax: subtracts the mean instead of the largest entry.

Question: softmax
Mistakes: slip
Deserves: 75 %
Fails: softmax_hidden_stable
Tell: Scores that are thousands apart give nan. The largest exponent must be 0: subtract the largest score of the
    row, not the mean or another number.
"""


def softmax(x, axis=-1):
    e = np.exp(x - np.mean(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
