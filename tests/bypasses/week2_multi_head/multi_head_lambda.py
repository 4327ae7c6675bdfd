"""It is called by a default argument of a lambda.

With: heads_by_ready_attention
"""

ready = lambda Q, K, V, mask, f=torch._C._nn.scaled_dot_product_attention: f(Q, K, V, mask)
