"""cost: leaves out the products of weights and values.

Question: cost
Mistakes: slip
Deserves: 65 %
Fails: cost_products, cost_hidden_heads
Tell: Each head has two products: queries with keys, and weights with values; the second is missing.
"""


def count_parameters(d_model, num_heads, bias=True):
    per_layer = d_model * d_model
    if bias:
        per_layer += d_model
    return 4 * per_layer


def count_products(d_model, num_heads, queries, keys):
    layers = 2 * (queries + keys) * d_model**2
    return layers + queries * keys * d_model
