"""rollout: adds the identity once, behind the product.

Question: rollout
Mistakes: concept
Deserves: 55 %
Fails: rollout_two_layers, rollout_hidden_layers
Tell: The identity is added once at the end: every layer has a residual connection of its own.
"""


def attention_rollout(weights_per_layer):
    product = weights_per_layer[0].mean(dim=1)
    for weights in weights_per_layer[1:]:
        product = weights.mean(dim=1) @ product
    return 0.5 * product + 0.5 * torch.eye(product.shape[-1], dtype=product.dtype, device=product.device)
