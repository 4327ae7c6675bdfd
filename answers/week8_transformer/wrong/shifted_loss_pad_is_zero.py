"""shifted_loss: leaves out token 0, whatever the padding is.

Question: shifted_loss
Mistakes: slip
Deserves: 80 %
Fails: shifted_loss_mean
Tell: Token 0 is left out even if it is not padding: compare with pad_id.
"""


def shifted_loss(logits, ids, pad_id):
    answers = ids[:, 1:]
    return F.cross_entropy(logits.flatten(0, 1), answers.flatten(), ignore_index=0)
