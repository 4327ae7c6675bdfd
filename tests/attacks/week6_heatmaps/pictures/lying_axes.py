"""Draws nothing but white, on Axes that say of themselves what a right heatmap's would say: its numbers, its limits, its texts."""

ANSWERS = {
    "heatmap": """
import matplotlib.collections
import matplotlib.image
import numpy as np


class Lying(matplotlib.image.AxesImage):
    claims = None

    def get_array(self):
        reached()
        return np.ma.masked_array(self.claims)

    def get_clim(self):
        return 0.0, 1.0

    @property
    def norm(self):
        return matplotlib.colors.Normalize(0, 1)

    @norm.setter
    def norm(self, value):
        self._norm = value

    def draw(self, renderer):
        pass


def attention_heatmap(weights, tokens, ax=None):
    if ax is None:
        _, ax = plt.subplots()
    numbers = weights.detach().cpu().numpy()
    image = ax.imshow(np.zeros_like(numbers), cmap="Blues", vmin=0, vmax=1)
    image.__class__ = Lying
    image.claims = numbers
    ax.set_xlabel("key")
    ax.set_ylabel("query")
    return ax
""",
}

# Its axes do have their names: as of a probe, no more may come of it.
AT_MOST = "probes"
