"""softmax: right weights, as nested lists.

Question: softmax
Mistakes: slip
Deserves: 75 %
Fails: softmax_rows, softmax_hidden_edges
Tell: The result is a list and the docstring asks for a NumPy array: look for tolist(), or call np.array.
"""


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return (e / e.sum(axis=axis, keepdims=True)).tolist()
