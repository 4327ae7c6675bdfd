"""cost: the sums of the text.

Question: cost
"""


def count_parameters(d_model, num_heads, bias=True):
    per_layer = d_model * d_model
    if bias:
        per_layer += d_model
    return 4 * per_layer


def count_products(d_model, num_heads, queries, keys):
    d_k = d_model // num_heads
    projections = 2 * queries * d_model * d_model + 2 * keys * d_model * d_model
    per_head = 2 * queries * keys * d_k
    return projections + num_heads * per_head
