"""rollout: stacks the layers, which must then have equally many heads.

Question: rollout
Mistakes: slip
Deserves: 80 %
Fails: rollout_hidden_layers
Tell: torch.stack needs tensors of one shape, but layers may have different numbers of heads: average each
    layer first.
"""


def attention_rollout(weights_per_layer):
    means = torch.stack(weights_per_layer).mean(dim=2)
    eye = torch.eye(means.shape[-1], dtype=means.dtype, device=means.device)
    rollout = eye.expand(means.shape[1], -1, -1)
    for mean in means:
        rollout = (0.5 * mean + 0.5 * eye) @ rollout
    return rollout
