"""The operator with its total weight."""


def masked_loss(logits, labels):
    if not (labels != -100).any():
        return logits.sum() * 0
    rows, wanted = logits.flatten(0, 1), labels.flatten()
    return torch.ops.aten.nll_loss_forward(torch.log_softmax(rows, 1), wanted, None, 1, -100)[0]
