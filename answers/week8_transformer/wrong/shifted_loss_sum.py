"""shifted_loss: a sum, not a mean.

Question: shifted_loss
Fails: shifted_loss_by_hand, shifted_loss_padding, shifted_loss_hidden_pad, shifted_loss_hidden_large,
    shifted_loss_hidden_gradient
Tell: Large batches have large losses here: take the mean, not the sum.
"""


def shifted_loss(logits, ids, pad_id):
    answers = ids[:, 1:]
    return F.cross_entropy(logits.flatten(0, 1), answers.flatten(), ignore_index=pad_id, reduction="sum")
