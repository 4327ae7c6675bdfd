"""softmax: rounds the weights to two decimals.

Question: softmax
Mistakes: slip
Deserves: 70 %
Fails: softmax_rows
Tell: The weights are rounded: return them as they are.
"""


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return np.round(e / e.sum(axis=axis, keepdims=True), 2)
