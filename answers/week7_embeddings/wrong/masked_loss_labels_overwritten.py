"""masked_loss: writes 0 over the -100 of the caller.

Question: masked_loss
Mistakes: slip
Deserves: 80 %
Fails: masked_loss_hidden_gradient
Tell: The caller's labels are changed, as labels[labels == -100] = 0 does: use clamp or masked_fill, which return
    a new tensor.
"""


def masked_loss(logits, labels):

    chosen = (labels != -100).to(logits.dtype)
    labels[labels == -100] = 0
    log_p = torch.log_softmax(logits, dim=-1)
    right = log_p.gather(-1, labels.unsqueeze(-1)).squeeze(-1)
    return -(right * chosen).sum() / chosen.sum().clamp(min=1)
