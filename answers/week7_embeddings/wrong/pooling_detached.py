"""pooling: goes through numpy.

Question: pooling
Mistakes: slip
Deserves: 75 %
Fails: pooling_hidden_gradient
Tell: The result has no gradient, so training cannot reach the encoder: leave out detach(), .data and numpy().
"""


def cls_pool(hidden):
    return torch.from_numpy(hidden.detach().cpu().numpy()[:, 0].copy()).to(hidden.device)


def mean_pool(hidden, mask):
    h, m = (
        hidden.detach().cpu().numpy(),
        mask.cpu().numpy()[:, :, None].astype(hidden.detach().cpu().numpy().dtype),
    )
    return torch.from_numpy((h * m).sum(1) / np.maximum(m.sum(1), 1)).to(hidden.device)


def max_pool(hidden, mask):
    h, m = hidden.detach().cpu().numpy(), mask.cpu().numpy()
    best = np.where(m[:, :, None], h, -np.inf).max(1)
    return torch.from_numpy(np.where(m.any(1)[:, None], best, 0).astype(h.dtype)).to(hidden.device)
