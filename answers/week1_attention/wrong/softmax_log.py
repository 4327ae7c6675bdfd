"""softmax: returns the logarithm of the softmax.

Question: softmax
Fails: softmax_rows, softmax_axis, softmax_large, softmax_hidden_stable, softmax_hidden_edges,
    softmax_hidden_input
Tell: The values are logarithms, zero and below: take np.exp of what you return, or divide by the sum
    instead of subtracting its logarithm.
"""


def softmax(x, axis=-1):
    shifted = x - x.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))
