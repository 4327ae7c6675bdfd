"""The operator's own packet and overload."""

ready = torch.ops.aten.scaled_dot_product_attention.default
