"""rollout: uses the first sentence's weights for the whole batch.

Question: rollout
Mistakes: slip
Deserves: 75 %
Fails: rollout_hidden_layers
Tell: Every sentence gets the rollout of the first: keep the batch dimension.
"""


def attention_rollout(weights_per_layer):
    first = weights_per_layer[0]
    eye = torch.eye(first.shape[-1], dtype=first.dtype, device=first.device)
    rollout = eye.expand(first.shape[0], -1, -1)
    for weights in weights_per_layer:
        mixed = 0.5 * weights[0].mean(dim=0) + 0.5 * eye
        rollout = mixed @ rollout
    return rollout
