"""softmax: written for a matrix: the last axis is called 1.

Question: softmax
Fails: softmax_axis, softmax_hidden_edges
Tell: The function works for matrices only: use `axis` with keepdims=True instead of axis=1 and [:, None],
    so that it takes any number of dimensions.
"""


def softmax(x, axis=-1):
    if axis == 0:
        return softmax(x.T).T
    x = x - np.max(x, axis=1)[:, None]
    return np.exp(x) / np.sum(np.exp(x), axis=1)[:, None]
