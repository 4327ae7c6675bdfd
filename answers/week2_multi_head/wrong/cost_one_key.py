"""cost: does not count the scores if there is a single key.

Question: cost
Mistakes: slip
Deserves: 65 %
Fails: cost_hidden_products, cost_hidden_heads
Tell: A single key is a special case in the code: its products are computed too, so the same formula
    holds.
"""


def count_parameters(d_model, num_heads, bias=True):
    return 4 * d_model * (d_model + int(bias))


def count_products(d_model, num_heads, queries, keys):
    layers = 2 * d_model**2 * (queries + keys)
    if keys == 1:
        return layers + queries * d_model
    return layers + 2 * queries * keys * d_model
