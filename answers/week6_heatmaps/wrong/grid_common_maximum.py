"""grid: gives all heads and the bar a common scale up to the largest weight.

Question: grid
Mistakes: concept
Deserves: 60 %
Fails: grid_scale, grid_bar
Tell: The scale ends at the largest weight of this layer: let it end at 1, so that layers and models can be
    compared.
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
            vmax=weights.max().item(),
            xticklabels=[f"{i} {t}" for i, t in enumerate(tokens)],
            yticklabels=[f"{i} {t}" for i, t in enumerate(tokens)],
        )
        ax.set_title(f"head {head}")
    scale = matplotlib.cm.ScalarMappable(matplotlib.colors.Normalize(0, weights.max().item()), "Blues")
    fig.colorbar(scale, ax=list(axes.flat[:heads]))
    return fig
