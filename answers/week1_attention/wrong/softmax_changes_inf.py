"""softmax: replaces scores of -inf in the array of the caller.

Question: softmax
Mistakes: slip
Deserves: 80 %
Fails: softmax_hidden_input
Tell: The scores of -inf are overwritten in the array that was given: leave them, np.exp(-inf) is 0.
"""


def softmax(x, axis=-1):
    if x.dtype.kind == "f":
        x[np.isneginf(x)] = np.finfo(x.dtype).min
    best = np.max(x, axis=axis, keepdims=True)
    with np.errstate(over="ignore"):
        powers = np.exp(x - best)
    return powers / np.sum(powers, axis=axis, keepdims=True)
