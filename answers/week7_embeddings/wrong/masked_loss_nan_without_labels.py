"""masked_loss: takes the mean of nothing.

Question: masked_loss
Mistakes: slip
Deserves: 80 %
Fails: masked_loss_hidden_none
Tell: The mean of an empty tensor is nan: when nothing is chosen the loss should be 0.
"""


def masked_loss(logits, labels):

    chosen = labels != -100
    log_p = torch.log_softmax(logits[chosen], dim=-1)
    return -log_p.gather(1, labels[chosen].unsqueeze(1)).mean()
