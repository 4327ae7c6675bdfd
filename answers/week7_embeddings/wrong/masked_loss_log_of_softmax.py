"""masked_loss: takes the logarithm of a softmax.

Question: masked_loss
Mistakes: slip
Deserves: 75 %
Fails: masked_loss_hidden_none
Tell: log(softmax(x)) can be minus infinity for large scores: use log_softmax.
"""


def masked_loss(logits, labels):

    chosen = labels != -100
    log_p = torch.log(torch.softmax(logits[chosen], dim=-1))
    right = log_p.gather(1, labels[chosen].unsqueeze(1))
    return -right.sum() / chosen.sum().clamp(min=1)
