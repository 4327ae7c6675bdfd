"""rollout: computes in float64 whatever comes.

Question: rollout
Mistakes: slip
Deserves: 85 %
Fails: rollout_hidden_dtype
Tell: float32 weights give a float64 rollout: keep the dtype of the weights.
"""


def attention_rollout(weights_per_layer):
    first = weights_per_layer[0]
    rollout = torch.eye(first.shape[-1], dtype=torch.float64).expand(first.shape[0], -1, -1)
    for weights in weights_per_layer:
        mixed = 0.5 * weights.double().mean(dim=1) + 0.5 * torch.eye(first.shape[-1], dtype=torch.float64)
        rollout = mixed @ rollout
    return rollout
