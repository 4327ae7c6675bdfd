"""masked_loss: gives one loss for each sentence.

Question: masked_loss
Mistakes: slip
Deserves: 60 %
Fails: masked_loss_chosen
Tell: One number for the whole batch is asked for, not one for each sentence.
"""


def masked_loss(logits, labels):

    chosen = (labels != -100).to(logits.dtype)
    log_p = torch.log_softmax(logits, dim=-1)
    right = log_p.gather(-1, labels.clamp(min=0).unsqueeze(-1)).squeeze(-1)
    return -(right * chosen).sum(dim=1) / chosen.sum(dim=1).clamp(min=1)
