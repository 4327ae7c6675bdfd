"""entropy: in the style of a chat assistant, with type hints and a mask.

Question: entropy
"""


def attention_entropy(weights: torch.Tensor) -> torch.Tensor:
    """Compute the Shannon entropy (in nats) of each attention distribution."""
    log_weights = torch.zeros_like(weights)
    positive = weights > 0
    log_weights[positive] = torch.log(weights[positive])
    entropy = -(weights * log_weights).sum(dim=-1)
    return entropy
