"""shifted_loss: picks the counted positions first.

Question: shifted_loss
"""


def shifted_loss(logits, ids, pad_id):
    answers = ids[:, 1:]
    keep = answers != pad_id
    z, y = logits[keep], answers[keep]
    return (torch.logsumexp(z, dim=-1) - z[torch.arange(len(y), device=z.device), y]).mean()
