"""shifted_loss: counts nothing behind the first padding token, the first token included.

Question: shifted_loss
Mistakes: slip
Deserves: 75 %
Fails: shifted_loss_mean
Tell: Tokens behind padding are left out: what counts is whether the token itself is pad_id.
"""


def shifted_loss(logits, ids, pad_id):
    counted = (ids != pad_id).long().cumprod(dim=1)[:, 1:].bool()
    losses = F.cross_entropy(logits.transpose(1, 2), ids[:, 1:], reduction="none")
    return losses[counted].mean()
