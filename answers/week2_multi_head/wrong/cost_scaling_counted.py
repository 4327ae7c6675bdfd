"""cost: counts the divisions of the scores as well.

Question: cost
Mistakes: slip
Deserves: 70 %
Fails: cost_products, cost_hidden_heads
Tell: Only the products of matrices should count: leave out the scaling of the scores.
"""


def count_parameters(d_model, num_heads, bias=True):
    return 4 * (d_model**2 + (d_model if bias else 0))


def count_products(d_model, num_heads, queries, keys):
    layers = 2 * (queries + keys) * d_model**2
    return layers + 2 * queries * keys * d_model + num_heads * queries * keys
