"""rollout: takes the largest weight over the heads.

Question: rollout
Mistakes: slip
Deserves: 65 %
Fails: rollout_heads, rollout_hidden_layers
Tell: The largest weight over the heads is taken, so rows sum to more than 1: take the mean.
"""


def attention_rollout(weights_per_layer):
    first = weights_per_layer[0]
    eye = torch.eye(first.shape[-1], dtype=first.dtype, device=first.device)
    rollout = eye.expand(first.shape[0], -1, -1)
    for weights in weights_per_layer:
        mixed = 0.5 * weights.max(dim=1).values + 0.5 * eye
        rollout = mixed @ rollout
    return rollout
