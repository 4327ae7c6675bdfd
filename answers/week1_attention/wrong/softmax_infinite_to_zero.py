"""softmax: "repairs" the input with nan_to_num, which makes a score of -inf a score of 0.

Question: softmax
Mistakes: slip
Deserves: 80 %
Fails: softmax_hidden_stable
Tell: A score of -inf should get weight 0, and here it gets more: leave -inf as it is, since np.exp(-inf) is 0.
"""


def softmax(x, axis=-1):
    x = np.nan_to_num(x, nan=0.0, posinf=0.0, neginf=0.0)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
