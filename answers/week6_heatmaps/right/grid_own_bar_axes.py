"""grid: an Axes made by hand for the colour bar that seaborn draws for head 0.

Question: grid
"""


def head_grid(weights, tokens):
    data = weights.detach().cpu().numpy()
    labels = [f"{i} {t}" for i, t in enumerate(tokens)]
    n = len(data)
    rows = int(np.ceil(n**0.5))
    cols = int(np.ceil(n / rows))
    fig = plt.figure(figsize=(3.5 * cols + 1, 3.5 * rows))
    cax = fig.add_axes([0.93, 0.2, 0.02, 0.6])
    for i in range(n):
        ax = fig.add_subplot(rows, cols, i + 1)
        sns.heatmap(
            data[i],
            ax=ax,
            vmin=0,
            vmax=1,
            cmap="Blues",
            cbar=(i == 0),
            cbar_ax=cax if i == 0 else None,
            xticklabels=labels,
            yticklabels=labels,
        )
        ax.set(title=f"head {i}", xlabel="key", ylabel="query")
    fig.subplots_adjust(right=0.9, hspace=0.6, wspace=0.6)
    return fig
