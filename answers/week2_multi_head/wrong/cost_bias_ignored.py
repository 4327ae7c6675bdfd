"""cost: always counts the biases.

Question: cost
Mistakes: slip
Deserves: 75 %
Fails: cost_hidden_parameters
Tell: The argument bias is not used: with bias=False only the four weight matrices should count.
"""


def count_parameters(d_model, num_heads, bias=True):
    return 4 * (d_model**2 + d_model)


def count_products(d_model, num_heads, queries, keys):
    d_k = d_model // num_heads
    projections = 2 * queries * d_model * d_model + 2 * keys * d_model * d_model
    per_head = 2 * queries * keys * d_k
    return projections + num_heads * per_head
