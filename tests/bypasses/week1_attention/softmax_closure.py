"""A function that another one has closed over before anything was refused."""

from functools import partial


def by(ready):
    def softmax(x, axis=-1):
        return ready(torch.from_numpy(np.array(x, dtype=float)))(axis).numpy()

    return softmax


softmax = by(lambda x: partial(torch.softmax, x))
