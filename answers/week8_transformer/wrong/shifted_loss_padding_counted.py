"""shifted_loss: padding counts like any token.

Question: shifted_loss
Mistakes: concept
Deserves: 45 %
Fails: shifted_loss_padding, shifted_loss_mean
Tell: Padding is counted: leave it out, for example with ignore_index=pad_id.
"""


def shifted_loss(logits, ids, pad_id):
    answers = ids[:, 1:]
    return F.cross_entropy(logits.flatten(0, 1), answers.flatten())
