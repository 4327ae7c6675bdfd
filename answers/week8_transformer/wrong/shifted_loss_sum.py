"""shifted_loss: a sum, not a mean.

Question: shifted_loss
Mistakes: slip
Deserves: 65 %
Fails: shifted_loss_mean
Tell: Large batches have large losses here: take the mean, not the sum.
"""


def shifted_loss(logits, ids, pad_id):
    answers = ids[:, 1:]
    return F.cross_entropy(logits.flatten(0, 1), answers.flatten(), ignore_index=pad_id, reduction="sum")
