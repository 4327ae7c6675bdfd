"""masked_loss: counts only labels above 0.

Question: masked_loss
Mistakes: slip
Deserves: 70 %
Fails: masked_loss_chosen
Tell: 0 is a token's id like any other: only the label -100 means that there is no question.
"""


def masked_loss(logits, labels):

    chosen = labels > 0
    log_p = torch.log_softmax(logits[chosen], dim=-1)
    right = log_p.gather(1, labels[chosen].unsqueeze(1))
    return -right.sum() / chosen.sum().clamp(min=1)
