"""A transformation of random variables, which is a softmax over the last axis."""

from torch.distributions.transforms import SoftmaxTransform

ready = SoftmaxTransform()


def softmax(x, axis=-1):
    scores = torch.from_numpy(np.moveaxis(np.array(x, dtype=float), axis, -1).copy())
    return np.moveaxis(ready(scores).numpy(), -1, axis)
