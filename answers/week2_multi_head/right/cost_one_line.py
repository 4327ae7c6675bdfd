"""cost: simplified to one line each.

Question: cost
"""


def count_parameters(d_model, num_heads, bias=True):
    return 4 * d_model * (d_model + bias)


def count_products(d_model, num_heads, queries, keys):
    return 2 * d_model * ((queries + keys) * d_model + queries * keys)
