"""shifted_loss: compares with the token that is read.

Question: shifted_loss
Mistakes: concept
Deserves: 25 %
Fails: shifted_loss_next_token, shifted_loss_padding, shifted_loss_mean, shifted_loss_hidden_large
Tell: Each position is asked for the token that it reads: shift the answers, ids[:, 1:].
"""


def shifted_loss(logits, ids, pad_id):
    answers = ids[:, :-1]
    return F.cross_entropy(logits.flatten(0, 1), answers.flatten(), ignore_index=pad_id)
