"""rollout: puts each new layer on the right.

Question: rollout
Mistakes: concept
Deserves: 60 %
Fails: rollout_two_layers, rollout_hidden_layers
Tell: The product is in the wrong order: the last layer's matrix goes on the left, so multiply the new layer
    from the left.
"""


def attention_rollout(weights_per_layer):
    first = weights_per_layer[0]
    eye = torch.eye(first.shape[-1], dtype=first.dtype, device=first.device)
    rollout = eye.expand(first.shape[0], -1, -1)
    for weights in weights_per_layer:
        mixed = 0.5 * weights.mean(dim=1) + 0.5 * eye
        rollout = rollout @ mixed
    return rollout
