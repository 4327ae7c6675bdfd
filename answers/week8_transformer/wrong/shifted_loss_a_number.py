"""shifted_loss: gives a Python number.

Question: shifted_loss
Mistakes: slip
Deserves: 65 %
Fails: shifted_loss_hidden_gradient
Tell: The loss is a number without a gradient, not a tensor: return the tensor that was computed from the logits, for
    example without item().
"""


def shifted_loss(logits, ids, pad_id):
    answers = ids[:, 1:]
    return F.cross_entropy(logits.flatten(0, 1), answers.flatten(), ignore_index=pad_id).item()
