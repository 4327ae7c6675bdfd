"""softmax: subtracts one maximum for the whole array.

Question: softmax
Fails: softmax_large, softmax_hidden_stable
Tell: One maximum for the whole array makes every exponential of a much smaller row 0, and 0/0 is NaN: take
    the maximum of each row, with axis=axis and keepdims=True.
"""


def softmax(x, axis=-1):
    e = np.exp(x - x.max())
    return e / e.sum(axis=axis, keepdims=True)
