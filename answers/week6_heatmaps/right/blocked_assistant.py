"""blocked: in the style of a chat assistant, with type hints and no_grad.

Question: blocked
"""


def blocked_effect(predict, length: int, target: int) -> torch.Tensor:
    """Measure how strongly each key position influences the target probability."""
    with torch.no_grad():
        full_mask = torch.ones((length, length), dtype=torch.bool)
        baseline = predict(full_mask)[target]

        effects = []
        for key_index in range(length):
            blocked_mask = full_mask.clone()
            blocked_mask[:, key_index] = False
            blocked_probability = predict(blocked_mask)[target]
            effects.append(baseline - blocked_probability)

    return torch.stack(effects)
