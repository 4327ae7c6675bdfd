"""softmax: takes the first axis where none is given.

Question: softmax
Mistakes: slip
Deserves: 75 %
Fails: softmax_rows
Tell: Without an axis the softmax goes along the first one; the docstring's default is the last: def
    softmax(x, axis=-1).
"""


def softmax(x, axis=0):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
