"""cost: builds the module and counts what is in it.

Question: cost
"""


def count_parameters(d_model, num_heads, bias=True):
    module = MultiHeadAttention(d_model, num_heads)
    total = 0
    for name, p in module.named_parameters():
        if bias or not name.endswith("bias"):
            total += p.numel()
    return total


def count_products(d_model, num_heads, queries, keys):
    d_k = d_model // num_heads
    projections = 2 * queries * d_model * d_model + 2 * keys * d_model * d_model
    per_head = 2 * queries * keys * d_k
    return projections + num_heads * per_head
