"""masked_loss: forgets the minus.

Question: masked_loss
Fails: masked_loss_by_hand, masked_loss_chosen, masked_loss_hidden_none, masked_loss_hidden_gradient
Tell: Logarithms of probabilities are negative: the loss needs a minus, or training makes it worse.
"""


def masked_loss(logits, labels):

    chosen = labels != -100
    log_p = torch.log_softmax(logits[chosen], dim=-1)
    return log_p.gather(1, labels[chosen].unsqueeze(1)).sum() / chosen.sum().clamp(min=1)
