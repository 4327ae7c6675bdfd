"""softmax: written for a matrix: the last axis is called 1.

Question: softmax
Mistakes: slip
Deserves: 70 %
Fails: softmax_axis
Tell: The function works for a matrix only: `axis` and keepdims=True work for any number of dimensions.
"""


def softmax(x, axis=-1):
    if axis == 0:
        return softmax(x.T).T
    x = x - np.max(x, axis=1)[:, None]
    return np.exp(x) / np.sum(np.exp(x), axis=1)[:, None]
