"""shifted_loss: computed on detached logits.

Question: shifted_loss
Mistakes: slip
Deserves: 70 %
Fails: shifted_loss_hidden_gradient
Tell: Nothing can be learned from this loss: the gradient is cut off on the way to the logits, as by detach(), item()
    or torch.no_grad().
"""


def shifted_loss(logits, ids, pad_id):
    answers = ids[:, 1:]
    return F.cross_entropy(logits.detach().flatten(0, 1), answers.flatten(), ignore_index=pad_id)
