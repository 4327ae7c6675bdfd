"""rollout: makes an identity of the default dtype.

Question: rollout
Mistakes: slip
Deserves: 85 %
Fails: rollout_hidden_dtype
Tell: The identity matrix is float32, which does not multiply with float64: give it the dtype of the
    weights.
"""


def attention_rollout(weights_per_layer):
    first = weights_per_layer[0]
    eye = torch.eye(first.shape[-1])
    rollout = eye.expand(first.shape[0], -1, -1)
    for weights in weights_per_layer:
        mixed = 0.5 * weights.mean(dim=1) + 0.5 * eye
        rollout = mixed @ rollout
    return rollout
