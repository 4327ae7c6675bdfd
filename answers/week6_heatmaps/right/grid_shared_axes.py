"""grid: shares the axes, and gives the colour bar axes of its own.

Question: grid
"""


def head_grid(weights, tokens):
    heads = len(weights)
    labels = [f"{i} {token}" for i, token in enumerate(tokens)]
    fig = plt.figure(figsize=(3.5 * heads + 1, 4))
    grid = fig.add_gridspec(1, heads + 1, width_ratios=[1] * heads + [0.06])
    bar = fig.add_subplot(grid[0, heads])
    first = None
    for h in range(heads):
        ax = fig.add_subplot(grid[0, h], sharey=first)
        sns.heatmap(
            weights[h].detach().cpu().numpy(),
            ax=ax,
            vmin=0,
            vmax=1,
            cmap="Blues",
            cbar=h == 0,
            cbar_ax=bar if h == 0 else None,
            xticklabels=labels,
            yticklabels=labels,
        )
        ax.set_title(f"head {h}")
        ax.set_xlabel("key")
        if first is None:
            first = ax
            ax.set_ylabel("query")
        else:
            ax.tick_params(labelleft=False)
    return fig
