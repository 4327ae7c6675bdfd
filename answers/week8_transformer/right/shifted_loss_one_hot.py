"""shifted_loss: einsum with one-hot answers.

Question: shifted_loss
"""


def shifted_loss(logits, ids, pad_id):
    V = logits.shape[-1]
    y = F.one_hot(ids[:, 1:], V).to(logits.dtype)
    z = logits - logits.max(dim=-1, keepdim=True).values
    logp = z - z.exp().sum(-1, keepdim=True).log()
    per = -torch.einsum("btv,btv->bt", y, logp)
    w = (ids[:, 1:] != pad_id).to(per.dtype)
    return torch.dot(per.reshape(-1), w.reshape(-1)) / w.sum()
