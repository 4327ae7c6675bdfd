"""cost: adds up product after product.

Question: cost
"""


def count_parameters(d_model, num_heads, bias=True):
    total = 0
    for _layer in ["W_Q", "W_K", "W_V", "W_O"]:
        total += d_model * d_model
        if bias:
            total += d_model
    return total


def matmul_cost(m, n, p):
    return m * n * p


def count_products(d_model, num_heads, queries, keys):
    total = 0
    for length in (queries, keys, keys, queries):  # W_Q, W_K, W_V, W_O
        total += matmul_cost(length, d_model, d_model)
    for _head in range(num_heads):
        d_k = d_model // num_heads
        total += matmul_cost(queries, d_k, keys)
        total += matmul_cost(queries, keys, d_k)
    return total
