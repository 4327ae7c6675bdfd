"""scipy's distance of one pair at a time, imported before anything is refused."""

from scipy.spatial import distance


def ready(a, b):
    return torch.tensor([1 - float(distance.cosine(x, y)) for x, y in zip(a.numpy(), b.numpy())])
