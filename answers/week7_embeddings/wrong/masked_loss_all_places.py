"""masked_loss: divides by all positions of the batch.

Question: masked_loss
Mistakes: slip
Deserves: 65 %
Fails: masked_loss_chosen
Tell: The divisor counts positions that were not chosen: divide by (labels != -100).sum().
"""


def masked_loss(logits, labels):

    chosen = labels != -100
    log_p = torch.log_softmax(logits[chosen], dim=-1)
    right = log_p.gather(1, labels[chosen].unsqueeze(1))
    return -right.sum() / labels.numel()
