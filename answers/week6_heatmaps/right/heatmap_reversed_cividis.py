"""heatmap: another map that runs from light to dark, drawn with pcolor.

Question: heatmap
"""


def attention_heatmap(weights, tokens, ax=None):
    if ax is None:
        ax = plt.figure().add_axes([0.2, 0.2, 0.7, 0.7])
    w = weights.detach().cpu().numpy()
    n = w.shape[0]
    ax.pcolor(np.arange(n + 1), np.arange(n + 1), w, cmap="cividis_r", vmin=0, vmax=1)
    ax.set_ylim(n, 0)
    names = [f"{i} {t}" for i, t in enumerate(tokens)]
    ax.set_xticks(np.arange(n) + 0.5, labels=names)
    ax.set_yticks(np.arange(n) + 0.5, labels=names)
    ax.set_xlabel("key")
    ax.set_ylabel("query")
    for i in range(n if n <= 12 else 0):
        for j in range(n):
            ax.text(
                j + 0.5,
                i + 0.5,
                format(float(w[i, j]), ".2f"),
                color="black" if w[i, j] < 0.5 else "white",
                horizontalalignment="center",
                verticalalignment="center",
            )
    return ax
