"""softmax: subtracts one maximum for the whole array.

Question: softmax
Mistakes: slip
Deserves: 75 %
Fails: softmax_hidden_stable
Tell: The largest score of the whole array is subtracted, so all powers of a much lower row are 0, and 0/0
    is nan: take the largest score of each row, with axis=axis and keepdims=True.
"""


def softmax(x, axis=-1):
    e = np.exp(x - x.max())
    return e / e.sum(axis=axis, keepdims=True)
