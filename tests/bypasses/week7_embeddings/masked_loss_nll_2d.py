"""The loss for pictures, by its private name."""


def masked_loss(logits, labels):
    if not (labels != -100).any():
        return logits.sum() * 0
    rows, wanted = logits.flatten(0, 1), labels.flatten()
    log_p = torch.log_softmax(rows, 1)[:, :, None, None]
    return torch._C._nn.nll_loss2d(log_p, wanted[:, None, None], None, 1, -100)
