"""rollout: multiplies entry by entry.

Question: rollout
Mistakes: concept
Deserves: 50 %
Fails: rollout_two_layers, rollout_hidden_layers
Tell: The matrices are multiplied entry by entry with *: chains of attention need the matrix product @.
"""


def attention_rollout(weights_per_layer):
    result = None
    for weights in weights_per_layer:
        mean = weights.mean(dim=1)
        mixed = 0.5 * mean + 0.5 * torch.eye(mean.shape[-1], dtype=mean.dtype, device=mean.device)
        result = mixed if result is None else mixed * result
    return result
