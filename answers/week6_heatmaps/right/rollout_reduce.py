"""rollout: each layer adds to what came before, without an identity matrix in each.

Question: rollout
"""

from functools import reduce


def attention_rollout(weights_per_layer):
    def step(so_far, layer):
        heads = layer.shape[1]
        mixed = torch.einsum("bhqk->bqk", layer) / heads
        return 0.5 * (mixed @ so_far + so_far)

    b, _, n, _ = weights_per_layer[0].shape
    start = torch.eye(n, dtype=weights_per_layer[0].dtype, device=weights_per_layer[0].device).repeat(b, 1, 1)
    return reduce(step, weights_per_layer, start)
