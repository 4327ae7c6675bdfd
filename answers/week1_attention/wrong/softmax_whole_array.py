"""softmax: divides by the sum of everything.

Question: softmax
Mistakes: concept
Deserves: 40 %
Fails: softmax_rows, softmax_axis, softmax_hidden_stable
Tell: The weights sum to 1 over the whole array instead of along `axis`: give the maximum and the sum
    axis=axis and keepdims=True.
"""


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x))
    return e / np.sum(e)
