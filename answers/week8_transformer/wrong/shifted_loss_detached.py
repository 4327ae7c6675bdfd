"""shifted_loss: computed on detached logits.

Question: shifted_loss
Mistakes: slip
Deserves: 70 %
Fails: shifted_loss_hidden_gradient
Tell: Nothing can be learned from this loss, for the logits are detached: use them as they are.
"""


def shifted_loss(logits, ids, pad_id):
    answers = ids[:, 1:]
    return F.cross_entropy(logits.detach().flatten(0, 1), answers.flatten(), ignore_index=pad_id)
