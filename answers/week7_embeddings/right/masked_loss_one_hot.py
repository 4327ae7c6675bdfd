"""masked_loss: a one-hot table times the logarithms.

Question: masked_loss
"""


def masked_loss(logits, labels):

    keep = labels != -100
    z, y = logits[keep], labels[keep]
    if y.numel() == 0:
        return torch.zeros((), device=logits.device)
    hot = F.one_hot(y, logits.shape[-1]).to(z.dtype)
    return -(hot * F.log_softmax(z, dim=1)).sum(dim=1).mean()
