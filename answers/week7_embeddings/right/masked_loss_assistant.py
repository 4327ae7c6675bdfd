"""masked_loss: the way a chat assistant writes it: flattened first, the graph kept when nothing is
chosen.

Question: masked_loss
"""


def masked_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Masked language modeling loss."""
    # Flatten the tensors
    vocab_size = logits.size(-1)
    logits = logits.view(-1, vocab_size)
    labels = labels.view(-1)
    # Find the positions that contribute to the loss
    active = labels != -100
    # If there are none, return zero while keeping the graph
    if not active.any():
        return logits.sum() * 0.0
    log_probs = F.log_softmax(logits[active], dim=-1)
    target_log_probs = log_probs.gather(dim=-1, index=labels[active].unsqueeze(-1))
    return -target_log_probs.mean()
