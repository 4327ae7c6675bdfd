"""rollout: adds the identity and divides each row by its sum, which is the same.

Question: rollout
"""


def attention_rollout(weights_per_layer):
    rollout = None
    for layer in weights_per_layer:
        heads = layer.shape[1]
        a = layer.sum(dim=1) / heads
        a = a + torch.eye(a.shape[-1], dtype=a.dtype, device=a.device)
        a = a / a.sum(dim=-1, keepdim=True)
        rollout = a if rollout is None else torch.bmm(a, rollout)
    return rollout
