"""cost: counts W_Q, W_K and W_V only.

Question: cost
Mistakes: slip
Deserves: 65 %
Fails: cost_parameters
Tell: Only three layers were counted: W_O is learned too.
"""


def count_parameters(d_model, num_heads, bias=True):
    one = d_model * d_model + (d_model if bias else 0)
    return 3 * one


def count_products(d_model, num_heads, queries, keys):
    d_k = d_model // num_heads
    projections = 2 * queries * d_model * d_model + 2 * keys * d_model * d_model
    per_head = 2 * queries * keys * d_k
    return projections + num_heads * per_head
