"""rollout: takes the last three layers only.

Question: rollout
Mistakes: slip
Deserves: 75 %
Fails: rollout_hidden_layers
Tell: Not all layers count: with four of them, one is missing.
"""


def attention_rollout(weights_per_layer):
    result = None
    for weights in weights_per_layer[-3:]:
        n = weights.shape[-1]
        identity = torch.eye(n, dtype=weights.dtype, device=weights.device)
        layer = (weights.mean(dim=1) + identity) / 2
        result = layer if result is None else torch.einsum("bqm,bmk->bqk", layer, result)
    return result
