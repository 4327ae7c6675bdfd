"""masked_loss: adds a small number inside the logarithm.

Question: masked_loss
Mistakes: slip
Deserves: 75 %
Fails: masked_loss_hidden_none
Tell: log(p + 1e-12) is at least -27.6, so a loss of thousands becomes 27.6: use log_softmax.
"""


def masked_loss(logits, labels):
    chosen = labels != -100
    log_p = torch.log(torch.softmax(logits[chosen], dim=-1) + 1e-12)
    right = log_p.gather(1, labels[chosen].unsqueeze(1))
    return -right.sum() / chosen.sum().clamp(min=1)
