"""softmax: returns the logarithm of the softmax.

Question: softmax
Mistakes: concept
Deserves: 20 %
Fails: softmax_rows, softmax_axis, softmax_large, softmax_hidden_stable, softmax_hidden_edges,
    softmax_hidden_input
Tell: These values are the logarithms of the weights, 0 and below: take np.exp of what you return.
"""


def softmax(x, axis=-1):
    shifted = x - x.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))
