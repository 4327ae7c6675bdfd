"""rollout: adds the identity without halving.

Question: rollout
Mistakes: slip
Deserves: 65 %
Fails: rollout_one_layer, rollout_hidden_layers
Tell: The rows sum to 2 or more: halve both the weights and the identity.
"""


def attention_rollout(weights_per_layer):
    first = weights_per_layer[0]
    eye = torch.eye(first.shape[-1], dtype=first.dtype, device=first.device)
    rollout = eye.expand(first.shape[0], -1, -1)
    for weights in weights_per_layer:
        mixed = weights.mean(dim=1) + eye
        rollout = mixed @ rollout
    return rollout
