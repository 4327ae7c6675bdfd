"""shifted_loss: adds a small number to the probabilities.

Question: shifted_loss
Mistakes: slip
Deserves: 75 %
Fails: shifted_loss_hidden_large
Tell: A small number that is added, or a lower bound, limits the loss of one token, at 27.6 for 1e-12: use log_softmax
    or cross_entropy.
"""


def shifted_loss(logits, ids, pad_id):
    answers = ids[:, 1:]
    p = torch.softmax(logits, dim=-1).gather(-1, answers[..., None])[..., 0]
    return -torch.log(p + 1e-12)[answers != pad_id].mean()
