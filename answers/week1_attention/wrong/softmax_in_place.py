"""softmax: right values, but the caller's array is overwritten.

Question: softmax
Mistakes: slip
Deserves: 80 %
Fails: softmax_hidden_input
Tell: The function changes the array that it was given, for example by `x -= ...`: x = x - ... makes a new one.
"""


def softmax(x, axis=-1):
    x -= x.max(axis=axis, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)
