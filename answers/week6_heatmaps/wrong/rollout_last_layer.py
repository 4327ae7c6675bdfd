"""rollout: uses the last layer only.

Question: rollout
Mistakes: concept
Deserves: 45 %
Fails: rollout_two_layers, rollout_hidden_layers
Tell: Only the last layer counts here: multiply the matrices of all layers.
"""


def attention_rollout(weights_per_layer):
    first = weights_per_layer[0]
    eye = torch.eye(first.shape[-1], dtype=first.dtype, device=first.device)
    rollout = eye.expand(first.shape[0], -1, -1)
    for weights in weights_per_layer:
        mixed = 0.5 * weights.mean(dim=1) + 0.5 * eye
        rollout = mixed
    return rollout
