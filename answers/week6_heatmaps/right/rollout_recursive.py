"""rollout: calls itself for the layers below.

Question: rollout
"""


def attention_rollout(weights_per_layer):
    *below, top = weights_per_layer
    a = top.mean(dim=1)
    a = torch.lerp(a, torch.eye(a.shape[-1], dtype=a.dtype, device=a.device).expand_as(a), 0.5)
    return a @ attention_rollout(below) if below else a
