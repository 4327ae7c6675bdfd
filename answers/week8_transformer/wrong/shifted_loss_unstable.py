"""shifted_loss: exponentials without a shift.

Question: shifted_loss
Mistakes: slip
Deserves: 75 %
Fails: shifted_loss_hidden_large
Tell: exp of large logits is inf: use log_softmax or cross_entropy, which shift first.
"""


def shifted_loss(logits, ids, pad_id):
    answers = ids[:, 1:]
    powers = torch.exp(logits)
    p = powers / powers.sum(dim=-1, keepdim=True)
    p = p.gather(-1, answers[..., None])[..., 0]
    return -torch.log(p[answers != pad_id]).mean()
