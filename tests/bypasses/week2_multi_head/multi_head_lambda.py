"""It is called by a default argument of a lambda."""

ready = lambda Q, K, V, mask, f=torch._C._nn.scaled_dot_product_attention: f(Q, K, V, mask)
