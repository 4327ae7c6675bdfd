"""shifted_loss: padding adds 0, but is counted in the division.

Question: shifted_loss
Mistakes: slip
Deserves: 60 %
Fails: shifted_loss_padding, shifted_loss_mean
Tell: Padding still counts in the division: divide by the number of counted tokens.
"""


def shifted_loss(logits, ids, pad_id):
    answers = ids[:, 1:]
    losses = F.cross_entropy(logits.transpose(1, 2), answers, reduction="none")
    return (losses * (answers != pad_id)).mean()
