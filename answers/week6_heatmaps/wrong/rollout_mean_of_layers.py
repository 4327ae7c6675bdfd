"""rollout: averages the layers.

Question: rollout
Mistakes: concept
Deserves: 50 %
Fails: rollout_two_layers, rollout_hidden_layers
Tell: The layers are averaged: what flows through both must be multiplied.
"""


def attention_rollout(weights_per_layer):
    means = torch.stack([weights.mean(dim=1) for weights in weights_per_layer]).mean(dim=0)
    return 0.5 * means + 0.5 * torch.eye(means.shape[-1], dtype=means.dtype, device=means.device)
