"""softmax: gives integers where a single score competes.

Question: softmax
Mistakes: slip
Deserves: 85 %
Fails: softmax_hidden_edges
Tell: For a single score the weights have the dtype of x: make them float64, as for several scores.
"""


def softmax(x, axis=-1):
    if x.shape[axis] == 1:
        return np.ones_like(x)
    powers = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return powers / np.sum(powers, axis=axis, keepdims=True)
