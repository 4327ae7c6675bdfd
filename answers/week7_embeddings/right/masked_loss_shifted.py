"""masked_loss: position by position, with the largest logit subtracted by hand.

Question: masked_loss
"""


def masked_loss(logits, labels):
    places = (labels != -100).nonzero()
    if places.shape[0] == 0:
        return torch.zeros((), dtype=logits.dtype, device=logits.device)
    terms = []
    for b, s in places.tolist():
        z = logits[b, s]
        shifted = z - z.max()
        terms.append(torch.log(torch.exp(shifted).sum()) - shifted[labels[b, s]])
    return torch.stack(terms).mean()
