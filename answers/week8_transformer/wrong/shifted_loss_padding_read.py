"""shifted_loss: leaves out positions that read padding, not those that must predict it.

Question: shifted_loss
Mistakes: concept
Deserves: 45 %
Fails: shifted_loss_padding, shifted_loss_mean
Tell: A position is left out when it reads padding: what counts is whether its answer is padding.
"""


def shifted_loss(logits, ids, pad_id):
    losses = F.cross_entropy(logits.transpose(1, 2), ids[:, 1:], reduction="none")
    return losses[ids[:, :-1] != pad_id].mean()
