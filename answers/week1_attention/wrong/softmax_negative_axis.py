"""softmax: knows of negative axes only -1.

Question: softmax
Mistakes: slip
Deserves: 80 %
Fails: softmax_axis
Tell: The function stops for an axis of -2: keepdims=True works for every axis, negative ones too.
"""


def softmax(x, axis=-1):
    if axis == -1:
        axis = x.ndim - 1
    order = [i for i in range(x.ndim) if i != axis] + [axis]
    x = x.transpose(order)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return (e / e.sum(axis=-1, keepdims=True)).transpose(np.argsort(order))
