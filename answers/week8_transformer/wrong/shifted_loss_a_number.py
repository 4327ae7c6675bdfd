"""shifted_loss: gives a Python number.

Question: shifted_loss
Mistakes: slip
Deserves: 65 %
Fails: shifted_loss_hidden_gradient
Tell: The loss is a Python number without a gradient: return the tensor, without item().
"""


def shifted_loss(logits, ids, pad_id):
    answers = ids[:, 1:]
    return F.cross_entropy(logits.flatten(0, 1), answers.flatten(), ignore_index=pad_id).item()
