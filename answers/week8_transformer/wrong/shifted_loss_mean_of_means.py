"""shifted_loss: a mean for each sequence, then their mean.

Question: shifted_loss
Mistakes: slip
Deserves: 65 %
Fails: shifted_loss_mean
Tell: Each sequence counts the same here: take one mean over all tokens of the batch.
"""


def shifted_loss(logits, ids, pad_id):
    rows = [F.cross_entropy(z, y, ignore_index=pad_id) for z, y in zip(logits, ids[:, 1:])]
    return torch.stack(rows).mean()
