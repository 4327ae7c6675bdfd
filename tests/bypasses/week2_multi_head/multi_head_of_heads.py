"""The ready-made attention on heads that were cut by hand."""

ready = torch.nn.functional.scaled_dot_product_attention
