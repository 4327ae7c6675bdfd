"""softmax: prints the weights and returns nothing.

Question: softmax
Mistakes: slip
Deserves: 15 %
Exception: nothing is returned, so no test can see the weights
Fails: softmax_rows, softmax_axis, softmax_large, softmax_hidden_stable, softmax_hidden_edges,
    softmax_hidden_input
Tell: The function returns None: end it with `return`, since printing hands nothing over.
"""


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    weights = e / e.sum(axis=axis, keepdims=True)
    print(weights)
