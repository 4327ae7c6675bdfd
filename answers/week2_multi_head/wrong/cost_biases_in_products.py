"""cost: counts a multiplication for each bias.

Question: cost
Mistakes: slip
Deserves: 65 %
Fails: cost_products, cost_hidden_products
Tell: A bias is added, not multiplied: only the products of matrices should count.
"""


def count_parameters(d_model, num_heads, bias=True):
    return 4 * (d_model**2 + (d_model if bias else 0))


def count_products(d_model, num_heads, queries, keys):
    layers = 2 * (queries + keys) * d_model * (d_model + 1)
    return layers + 2 * queries * keys * d_model
