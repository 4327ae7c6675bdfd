"""rollout: starts from the identity and multiplies each layer from the left.

Question: rollout
"""


def attention_rollout(weights_per_layer):
    n = weights_per_layer[0].shape[-1]
    eye = torch.eye(n, dtype=weights_per_layer[0].dtype, device=weights_per_layer[0].device)
    result = eye
    for w in weights_per_layer:
        result = (0.5 * w.mean(dim=1) + 0.5 * eye) @ result
    return result
