"""cost: applies W_O to the keys' length.

Question: cost
Mistakes: slip
Deserves: 70 %
Fails: cost_products, cost_hidden_products
Tell: W_O should count for each query, not for each key: the output is as long as the queries.
"""


def count_parameters(d_model, num_heads, bias=True):
    per_layer = d_model * d_model
    if bias:
        per_layer += d_model
    return 4 * per_layer


def count_products(d_model, num_heads, queries, keys):
    layers = (queries + 3 * keys) * d_model**2
    return layers + 2 * queries * keys * d_model
