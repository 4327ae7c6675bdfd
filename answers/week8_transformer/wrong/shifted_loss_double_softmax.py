"""shifted_loss: a softmax before cross_entropy.

Question: shifted_loss
Mistakes: concept
Deserves: 45 %
Fails: shifted_loss_next_token, shifted_loss_hidden_large
Tell: The softmax is taken twice: cross_entropy and log_softmax contain it already, so hand them the logits.
"""


def shifted_loss(logits, ids, pad_id):
    answers = ids[:, 1:]
    return F.cross_entropy(
        torch.softmax(logits, dim=-1).flatten(0, 1), answers.flatten(), ignore_index=pad_id
    )
