"""rollout: leaves out the residual connection.

Question: rollout
Mistakes: concept
Deserves: 55 %
Fails: rollout_one_layer, rollout_hidden_layers
Tell: Half of an identity matrix is missing: the residual connection keeps half of each position at home.
"""


def attention_rollout(weights_per_layer):
    first = weights_per_layer[0]
    eye = torch.eye(first.shape[-1], dtype=first.dtype, device=first.device)
    rollout = eye.expand(first.shape[0], -1, -1)
    for weights in weights_per_layer:
        mixed = weights.mean(dim=1)
        rollout = mixed @ rollout
    return rollout
