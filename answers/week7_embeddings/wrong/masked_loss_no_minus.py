"""masked_loss: forgets the minus.

Question: masked_loss
Mistakes: slip
Deserves: 70 %
Fails: masked_loss_by_hand
Tell: Logarithms of probabilities are negative: the loss needs a minus, or training makes it worse.
"""


def masked_loss(logits, labels):

    chosen = labels != -100
    log_p = torch.log_softmax(logits[chosen], dim=-1)
    return log_p.gather(1, labels[chosen].unsqueeze(1)).sum() / chosen.sum().clamp(min=1)
