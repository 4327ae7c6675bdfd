"""rollout: turns the caller's list round.

Question: rollout
Mistakes: slip
Deserves: 80 %
Fails: rollout_hidden_inputs
Tell: The caller's list is turned round, for example by reverse(): loop over reversed(weights_per_layer), which
    changes nothing.
"""


def attention_rollout(weights_per_layer):
    weights_per_layer.reverse()
    first = weights_per_layer[0]
    eye = torch.eye(first.shape[-1], dtype=first.dtype, device=first.device)
    rollout = eye.expand(first.shape[0], -1, -1)
    for weights in weights_per_layer:
        rollout = rollout @ (0.5 * weights.mean(dim=1) + 0.5 * eye)
    return rollout
