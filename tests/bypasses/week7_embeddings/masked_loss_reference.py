"""What torch's compiler would take the operator apart to."""


def masked_loss(logits, labels):
    if not (labels != -100).any():
        return logits.sum() * 0
    rows, wanted = logits.flatten(0, 1), labels.flatten()
    log_p = torch.log_softmax(rows, 1)
    return torch._decomp.decompositions.nll_loss_forward(log_p, wanted, None, 1, -100)[0]
