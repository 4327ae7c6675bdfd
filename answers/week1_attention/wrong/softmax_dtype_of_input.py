"""softmax: fills an array of the input's dtype, so whole numbers cut the weights to 0.

Question: softmax
Mistakes: slip
Deserves: 85 %
Fails: softmax_hidden_edges
Tell: For scores of integers the weights come back as integers, so they are cut to 0 or 1: make the result a
    float array.
"""


def softmax(x, axis=-1):
    x = np.asarray(x)
    result = np.empty_like(x)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    result[...] = e / e.sum(axis=axis, keepdims=True)
    return result
