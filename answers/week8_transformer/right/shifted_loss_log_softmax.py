"""shifted_loss: log_softmax, gather and a mean by hand.

Question: shifted_loss
"""


def shifted_loss(logits, ids, pad_id):
    answers = ids[:, 1:]
    logp = torch.log_softmax(logits, dim=-1)
    chosen = logp.gather(-1, answers.unsqueeze(-1)).squeeze(-1)
    counted = answers != pad_id
    return -(chosen * counted).sum() / counted.sum()
