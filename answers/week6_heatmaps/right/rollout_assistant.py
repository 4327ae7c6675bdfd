"""rollout: in the style of a chat assistant, with einsum.

Question: rollout
"""


def attention_rollout(weights_per_layer: list[torch.Tensor]) -> torch.Tensor:
    """Compute attention rollout (Abnar & Zuidema, 2020) for a stack of layers."""
    if not weights_per_layer:
        raise ValueError("weights_per_layer must contain at least one layer")

    batch_size, _, seq_len, _ = weights_per_layer[0].shape
    identity = torch.eye(
        seq_len, device=weights_per_layer[0].device, dtype=weights_per_layer[0].dtype
    ).unsqueeze(0)
    rollout = identity.repeat(batch_size, 1, 1)

    for layer_weights in weights_per_layer:
        averaged = layer_weights.mean(dim=1)
        with_residual = 0.5 * averaged + 0.5 * identity
        rollout = torch.einsum("bij,bjk->bik", with_residual, rollout)

    return rollout
