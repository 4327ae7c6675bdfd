"""heatmap: cells around whole numbers, labels from a formatter, those of the columns above.

Question: heatmap
"""


def attention_heatmap(weights, tokens, ax=None):
    w = weights.detach().cpu().float()
    size = w.shape[0]
    if ax is None:
        ax = plt.figure().subplots()
    grid = np.arange(size + 1) - 0.5
    ax.pcolormesh(grid, grid, w.numpy(), cmap="gray_r", norm=plt.Normalize(0, 1))
    ax.set_xlim(-0.5, size - 0.5)
    ax.set_ylim(size - 0.5, -0.5)
    positions = list(range(size))
    ax.xaxis.set_major_locator(matplotlib.ticker.FixedLocator(positions))
    ax.yaxis.set_major_locator(matplotlib.ticker.FixedLocator(positions))
    ax.xaxis.set_major_formatter(lambda v, p: f"{int(v)} {tokens[int(v)]}")
    ax.yaxis.set_major_formatter(lambda v, p: f"{int(v)} {tokens[int(v)]}")
    ax.set(xlabel="key", ylabel="query")
    ax.xaxis.tick_top()
    if size <= 12:
        [
            ax.annotate(
                f"{w[i, j].item():.2f}",
                xy=(j, i),
                ha="center",
                va="center",
                fontsize=8,
                color=("black", "white")[int(w[i, j] >= 0.5)],
            )
            for i in positions
            for j in positions
        ]
    return ax
