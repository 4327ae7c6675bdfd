"""softmax: keeps the dimension in the maximum, forgets it in the sum.

Question: softmax
Fails: softmax_rows, softmax_axis, softmax_large, softmax_hidden_stable, softmax_hidden_edges
Tell: The sum has lost the axis that you reduced and no longer lines up with the array: pass keepdims=True
    to np.sum as you did to np.max.
"""


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis)
