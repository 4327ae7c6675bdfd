"""grid: gives each head a scale up to its own largest weight.

Question: grid
Mistakes: concept
Deserves: 55 %
Fails: grid_scale, grid_bar
Tell: Every head has a scale of its own, so a weight of 0.1 may be as dark as one of 0.9, and the colour bar
    is not true of the panels: fix vmax=1 in all panels.
"""


def head_grid(weights, tokens):
    heads = len(weights)
    columns = min(heads, 3)
    rows = math.ceil(heads / columns)
    fig, axes = plt.subplots(rows, columns, figsize=(4 * columns, 4 * rows), squeeze=False)
    for head, ax in enumerate(axes.flat):
        if head >= heads:
            ax.remove()
            continue
        sns.heatmap(
            weights[head].detach().cpu().numpy(),
            ax=ax,
            cmap="Blues",
            cbar=False,
            vmin=0,
            vmax=weights[head].max().item(),
            xticklabels=[f"{i} {t}" for i, t in enumerate(tokens)],
            yticklabels=[f"{i} {t}" for i, t in enumerate(tokens)],
        )
        ax.set_title(f"head {head}")
    scale = matplotlib.cm.ScalarMappable(matplotlib.colors.Normalize(0, 1), "Blues")
    fig.colorbar(scale, ax=list(axes.flat[:heads]))
    return fig
