"""The loss for pictures, by its private name."""


def ready(rows, wanted):
    log_p = torch.log_softmax(rows, 1)[:, :, None, None]
    return torch._C._nn.nll_loss2d(log_p, wanted[:, None, None], None, 1, -100)
