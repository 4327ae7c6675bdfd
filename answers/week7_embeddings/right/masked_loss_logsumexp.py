"""masked_loss: the right logit minus logsumexp, weighted by the mask.

Question: masked_loss
"""


def masked_loss(logits, labels):

    chosen = (labels != -100).to(logits.dtype)
    right = logits.gather(-1, labels.clamp(min=0).unsqueeze(-1)).squeeze(-1)
    losses = torch.logsumexp(logits, dim=-1) - right
    return (losses * chosen).sum() / chosen.sum().clamp(min=1)
