"""The operator with its total weight."""


def ready(rows, wanted):
    return torch.ops.aten.nll_loss_forward(torch.log_softmax(rows, 1), wanted, None, 1, -100)[0]
