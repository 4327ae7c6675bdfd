"""masked_loss: returns a number made from .item().

Question: masked_loss
Mistakes: slip
Deserves: 75 %
Fails: masked_loss_hidden_gradient
Tell: The loss has no gradient, for example because of torch.tensor(x.item()): return the tensor itself.
"""


def masked_loss(logits, labels):

    chosen = labels != -100
    log_p = torch.log_softmax(logits[chosen], dim=-1)
    right = log_p.gather(1, labels[chosen].unsqueeze(1))
    return torch.tensor((-right.sum() / chosen.sum().clamp(min=1)).item())
