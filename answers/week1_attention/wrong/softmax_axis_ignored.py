"""softmax: always works along the last axis.

Question: softmax
Mistakes: slip
Deserves: 65 %
Fails: softmax_axis
Tell: Scores compete along the last axis whatever `axis` says: hand `axis` to both the maximum and the sum.
"""


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)
