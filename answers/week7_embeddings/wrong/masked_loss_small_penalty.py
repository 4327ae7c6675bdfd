"""masked_loss: adds a tiny penalty on all logits.

Question: masked_loss
Mistakes: slip
Deserves: 75 %
Fails: masked_loss_hidden_gradient
Tell: Something small is added that depends on the logits at positions without a label: they must not count
    at all.
"""


def masked_loss(logits, labels):
    asked = labels != -100
    right = torch.log_softmax(logits, dim=-1).gather(-1, labels.clamp(min=0)[..., None]).squeeze(-1)
    loss = -torch.where(asked, right, 0).sum() / asked.sum().clamp(min=1)
    return loss + 1e-7 * torch.logsumexp(logits, dim=-1).mean() * asked.any()
