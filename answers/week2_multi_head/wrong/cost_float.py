"""cost: divides, so the counts are floats.

Question: cost
Mistakes: slip
Deserves: 80 %
Fails: cost_hidden_parameters
Tell: One of the counts is a float: `/` and `math.pow` give floats, `//`, `*` and `**` keep ints.
"""


def count_parameters(d_model, num_heads, bias=True):
    d_k = d_model / num_heads
    one = d_model * d_k * num_heads + (d_k * num_heads if bias else 0)
    return 4 * one


def count_products(d_model, num_heads, queries, keys):
    d_k = d_model / num_heads
    projections = 2 * queries * d_model * d_model + 2 * keys * d_model * d_model
    per_head = 2 * queries * keys * d_k
    return projections + num_heads * per_head
