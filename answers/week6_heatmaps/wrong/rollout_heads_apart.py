"""rollout: follows each head through the layers by itself where two layers have as many heads.

Question: rollout
Mistakes: concept
Deserves: 55 %
Fails: rollout_two_layers, rollout_hidden_layers
Tell: The heads are averaged after the product over the layers: average those of each layer first, for a layer reads
    all heads of the one below.
"""


def attention_rollout(weights_per_layer):
    size = weights_per_layer[0].shape[-1]
    paths = None  # (batch, heads, query, key)
    for weights in weights_per_layer:
        step = (weights + torch.eye(size, dtype=weights.dtype, device=weights.device)) / 2
        if paths is not None:
            if paths.shape[1] != step.shape[1]:
                paths = paths.mean(dim=1, keepdim=True)
            step = step @ paths
        paths = step
    return paths.mean(dim=1)
