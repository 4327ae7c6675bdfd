"""cost: counts the scores and outputs of one head.

Question: cost
Mistakes: slip
Deserves: 65 %
Fails: cost_products, cost_hidden_heads
Tell: Only one head's products were counted: there are num_heads of them.
"""


def count_parameters(d_model, num_heads, bias=True):
    per_layer = d_model * d_model
    if bias:
        per_layer += d_model
    return 4 * per_layer


def count_products(d_model, num_heads, queries, keys):
    d_k = d_model // num_heads
    layers = 2 * (queries + keys) * d_model**2
    return layers + 2 * queries * keys * d_k
