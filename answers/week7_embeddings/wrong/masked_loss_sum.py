"""masked_loss: gives the sum.

Question: masked_loss
Mistakes: slip
Deserves: 65 %
Fails: masked_loss_chosen
Tell: That is the sum of the losses: divide by the number of chosen positions.
"""


def masked_loss(logits, labels):

    chosen = labels != -100
    log_p = torch.log_softmax(logits[chosen], dim=-1)
    return -log_p.gather(1, labels[chosen].unsqueeze(1)).sum()
