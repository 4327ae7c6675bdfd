"""cost: leaves out W_O in the products.

Question: cost
Mistakes: slip
Deserves: 65 %
Fails: cost_products, cost_hidden_products
Tell: The products of W_O are missing: they should count once for each query.
"""


def count_parameters(d_model, num_heads, bias=True):
    per_layer = d_model * d_model
    if bias:
        per_layer += d_model
    return 4 * per_layer


def count_products(d_model, num_heads, queries, keys):
    layers = (queries + keys + keys) * d_model**2
    return layers + 2 * queries * keys * d_model
