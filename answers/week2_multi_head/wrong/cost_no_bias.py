"""cost: forgets the biases.

Question: cost
Mistakes: slip
Deserves: 60 %
Fails: cost_parameters, cost_hidden_parameters
Tell: The biases are missing: with bias=True each layer has d_model more numbers.
"""


def count_parameters(d_model, num_heads, bias=True):
    return 4 * d_model**2


def count_products(d_model, num_heads, queries, keys):
    d_k = d_model // num_heads
    projections = 2 * queries * d_model * d_model + 2 * keys * d_model * d_model
    per_head = 2 * queries * keys * d_k
    return projections + num_heads * per_head
