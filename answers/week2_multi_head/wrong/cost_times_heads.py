"""cost: counts four layers for every head.

Question: cost
Mistakes: concept
Deserves: 50 %
Fails: cost_parameters
Tell: One layer serves all heads, so the number of parameters should not grow with num_heads.
"""


def count_parameters(d_model, num_heads, bias=True):
    one = d_model * d_model + (d_model if bias else 0)
    return 4 * one * num_heads


def count_products(d_model, num_heads, queries, keys):
    d_k = d_model // num_heads
    projections = 2 * queries * d_model * d_model + 2 * keys * d_model * d_model
    per_head = 2 * queries * keys * d_k
    return projections + num_heads * per_head
