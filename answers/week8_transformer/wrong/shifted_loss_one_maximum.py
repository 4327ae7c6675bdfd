"""shifted_loss: subtracts the largest logit of the whole batch.

Question: shifted_loss
Mistakes: slip
Deserves: 80 %
Fails: shifted_loss_hidden_large
Tell: One largest logit is subtracted from the whole batch, so exp gives 0 in rows far below it: each position needs the
    largest of its own logits.
"""


def shifted_loss(logits, ids, pad_id):
    following = ids[:, 1:]
    keep = following != pad_id
    z = logits[keep] - logits[keep].max()
    total = z.exp().sum(dim=-1).log()
    chosen = z.gather(1, following[keep].unsqueeze(1)).squeeze(1)
    return (total - chosen).mean()
