"""softmax: computes in float64 and returns float32.

Question: softmax
Mistakes: slip
Deserves: 85 %
Fails: softmax_hidden_edges
Tell: The result is float32: leave the dtype as np.exp gives it, float64.
"""


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return (e / e.sum(axis=axis, keepdims=True)).astype(np.float32)
