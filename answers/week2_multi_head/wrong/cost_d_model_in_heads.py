"""cost: lets every head work on d_model numbers.

Question: cost
Mistakes: concept
Deserves: 55 %
Fails: cost_products, cost_hidden_heads
Tell: A head should multiply vectors of d_k numbers, not of d_model.
"""


def count_parameters(d_model, num_heads, bias=True):
    per_layer = d_model * d_model
    if bias:
        per_layer += d_model
    return 4 * per_layer


def count_products(d_model, num_heads, queries, keys):
    layers = 2 * (queries + keys) * d_model**2
    return layers + num_heads * 2 * queries * keys * d_model
