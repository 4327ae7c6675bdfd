"""The ready-made attention on heads that were cut by hand.

With: heads_by_ready_attention
"""

ready = torch.nn.functional.scaled_dot_product_attention
