"""The divergence of two distributions: it is the cross-entropy where one of them is certain."""

from torch.distributions import Categorical, kl_divergence


def masked_loss(logits, labels):
    if not (labels != -100).any():
        return logits.sum() * 0
    rows, wanted = logits.flatten(0, 1), labels.flatten()
    chosen = wanted != -100
    certain = torch.nn.functional.one_hot(wanted[chosen], rows.shape[-1]).to(rows.dtype)
    return kl_divergence(Categorical(probs=certain), Categorical(logits=rows[chosen])).mean()
