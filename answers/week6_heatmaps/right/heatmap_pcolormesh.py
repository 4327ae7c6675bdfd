"""heatmap: pcolormesh with the y axis turned round.

Question: heatmap
"""


def attention_heatmap(weights, tokens, ax=None):
    if ax is None:
        _, ax = plt.subplots(layout="constrained")
    array = np.array(weights.detach().cpu(), dtype=float)
    n = len(array)
    ax.pcolormesh(array, cmap="Purples", vmin=0, vmax=1, edgecolors="lightgrey", linewidth=0.5)
    ax.invert_yaxis()
    ax.set_aspect("equal")
    ticks = np.arange(n) + 0.5
    names = ["{} {}".format(*pair) for pair in enumerate(tokens)]
    ax.set(xticks=ticks, yticks=ticks, xlabel="key", ylabel="query")
    ax.set_xticklabels(names, rotation=60, ha="right")
    ax.set_yticklabels(names)
    if n <= 12:
        for (i, j), weight in np.ndenumerate(array):
            ax.annotate(
                f"{weight:.2f}",
                (j + 0.5, i + 0.5),
                ha="center",
                va="center",
                color="w" if weight > 0.55 else "k",
            )
    return ax
