"""rollout: uses head 0 only.

Question: rollout
Mistakes: slip
Deserves: 65 %
Fails: rollout_heads, rollout_hidden_layers
Tell: Only head 0 is used: average over the heads, dimension 1.
"""


def attention_rollout(weights_per_layer):
    first = weights_per_layer[0]
    eye = torch.eye(first.shape[-1], dtype=first.dtype, device=first.device)
    rollout = eye.expand(first.shape[0], -1, -1)
    for weights in weights_per_layer:
        mixed = 0.5 * weights[:, 0] + 0.5 * eye
        rollout = mixed @ rollout
    return rollout
