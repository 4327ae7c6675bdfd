"""masked_loss: subtracts the maximum and writes the logarithm out.

Question: masked_loss
"""


def masked_loss(logits, labels):

    flat_logits = logits.reshape(-1, logits.size(-1))
    flat_labels = labels.reshape(-1)
    keep = flat_labels.ne(-100)
    z = flat_logits[keep]
    z = z - z.amax(dim=-1, keepdim=True).detach()
    log_p = z - z.exp().sum(dim=-1, keepdim=True).log()
    picked = log_p[torch.arange(len(z), device=z.device), flat_labels[keep]]
    return -picked.sum() / keep.sum().clamp(min=1)
