"""Imported by its own name at the top of the cell."""

from torch.nn.functional import log_softmax


def softmax(x, axis=-1):
    return np.exp(log_softmax(torch.from_numpy(np.array(x, dtype=float)), axis).numpy())
