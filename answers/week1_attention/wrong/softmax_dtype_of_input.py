"""softmax: fills an array of the input's dtype, so whole numbers cut the weights to 0.

Question: softmax
Fails: softmax_hidden_edges
Tell: Weights of an integer input come back as 0 and 1 because the result has the input's integer dtype:
    make it a float array.
"""


def softmax(x, axis=-1):
    x = np.asarray(x)
    result = np.empty_like(x)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    result[...] = e / e.sum(axis=axis, keepdims=True)
    return result
