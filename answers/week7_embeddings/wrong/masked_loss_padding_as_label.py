"""masked_loss: takes -100 for the label 0.

Question: masked_loss
Mistakes: concept
Deserves: 35 %
Fails: masked_loss_chosen, masked_loss_hidden_none, masked_loss_hidden_gradient
Tell: Positions with label -100 are counted as if 0 were the answer there: leave them out.
"""


def masked_loss(logits, labels):

    log_p = torch.log_softmax(logits, dim=-1)
    return -log_p.gather(-1, labels.clamp(min=0).unsqueeze(-1)).mean()
