"""What torch's compiler would take the operator apart to."""


def ready(rows, wanted):
    log_p = torch.log_softmax(rows, 1)
    return torch._decomp.decompositions.nll_loss_forward(log_p, wanted, None, 1, -100)[0]
