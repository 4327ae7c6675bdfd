"""scikit-learn's log loss of the probabilities."""


def ready(rows, wanted):
    from sklearn.metrics import log_loss

    chosen = wanted != -100
    weights = torch.exp(rows[chosen].double())
    weights = weights / weights.sum(1, keepdim=True)
    loss = log_loss(wanted[chosen].numpy(), weights.numpy(), labels=range(rows.shape[-1]))
    return rows.sum() * 0 + torch.tensor(loss, dtype=rows.dtype)
