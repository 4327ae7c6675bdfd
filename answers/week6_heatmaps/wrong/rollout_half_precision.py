"""rollout: makes the identity in float32.

Question: rollout
Mistakes: slip
Deserves: 80 %
Fails: rollout_hidden_dtype
Tell: float16 weights give a float32 rollout: make the identity with dtype=weights.dtype.
"""


def attention_rollout(weights_per_layer):
    result = None
    for weights in weights_per_layer:
        n = weights.shape[-1]
        identity = torch.eye(n, device=weights.device)
        layer = (weights.mean(dim=1) + identity) / 2
        result = layer if result is None else torch.einsum("bqm,bmk->bqk", layer, result.to(layer.dtype))
    return result
