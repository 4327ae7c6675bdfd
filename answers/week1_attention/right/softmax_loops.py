"""softmax: one row at a time, in explicit loops.

Question: softmax
"""


def softmax(x, axis=-1):
    x = np.asarray(x)
    result = np.zeros(x.shape, dtype=float)
    moved_in = np.moveaxis(x, axis, -1)
    moved_out = np.moveaxis(result, axis, -1)  # a view: writing to it fills result
    for index in np.ndindex(moved_in.shape[:-1]):
        row = moved_in[index]
        biggest = max(row)
        total = 0.0
        for j in range(len(row)):
            moved_out[index + (j,)] = math.exp(row[j] - biggest)
            total += moved_out[index + (j,)]
        for j in range(len(row)):
            moved_out[index + (j,)] /= total
    return result
