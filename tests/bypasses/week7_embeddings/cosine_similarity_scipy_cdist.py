"""scipy's table of distances, named by a string."""

from scipy.spatial.distance import cdist


def ready(a, b):
    return torch.tensor(1 - cdist(a.numpy(), b.numpy(), "cosine").diagonal()).float()
