"""rollout: halves the caller's weights in place.

Question: rollout
Mistakes: slip
Deserves: 80 %
Fails: rollout_hidden_inputs
Tell: The caller's tensors are changed, for example by `*=` or a method that ends in `_`, so a second call gives
    another result: make new tensors.
"""


def attention_rollout(weights_per_layer):
    first = weights_per_layer[0]
    eye = torch.eye(first.shape[-1], dtype=first.dtype, device=first.device)
    rollout = eye.expand(first.shape[0], -1, -1)
    for weights in weights_per_layer:
        weights *= 0.5
        mixed = weights.mean(dim=1) + 0.5 * eye
        rollout = mixed @ rollout
    return rollout
