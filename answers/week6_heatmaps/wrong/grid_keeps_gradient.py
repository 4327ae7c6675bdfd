"""grid: calls numpy() on weights that may require a gradient.

Question: grid
Mistakes: slip
Deserves: 80 %
Fails: grid_hidden_heads
Tell: The weights may require a gradient, and such a tensor has no numpy(): call detach() first, in head_grid as in
    the heatmap.
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
        names = [f"{i} {token}" for i, token in enumerate(tokens)]
        ax.imshow(weights[head].numpy(), cmap="Blues", vmin=0, vmax=1)
        ax.set_xticks(range(len(names)), names)
        ax.set_yticks(range(len(names)), names)
        ax.set_title(f"head {head}")
    scale = matplotlib.cm.ScalarMappable(matplotlib.colors.Normalize(0, 1), "Blues")
    fig.colorbar(scale, ax=list(axes.flat[:heads]))
    return fig
