"""cost: computes in 32-bit integers, which overflow.

Question: cost
Mistakes: slip
Deserves: 80 %
Fails: cost_hidden_products
Tell: The counts of large models do not fit into 32 bits: compute with Python ints, which have no largest
    number.
"""


def count_parameters(d_model, num_heads, bias=True):
    d = np.array(d_model, dtype=np.int32)
    return int(np.sum([d * d + d * np.int32(bias)] * 4, dtype=np.int32))


def count_products(d_model, num_heads, queries, keys):
    d, n, m = (np.array([size], dtype=np.int32) for size in (d_model, queries, keys))
    return int((2 * n * d * d + 2 * m * d * d + 2 * n * m * d)[0])
