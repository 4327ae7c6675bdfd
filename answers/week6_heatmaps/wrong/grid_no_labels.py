"""grid: draws the panels without labels.

Question: grid
Mistakes: slip
Deserves: 80 %
Fails: grid_hidden_labels
Tell: Nobody can tell which word a row or column is: label them with index and token.
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
        ax.imshow(weights[head].detach().cpu().numpy(), cmap="Blues", vmin=0, vmax=1)
        ax.set_title(f"head {head}")
    scale = matplotlib.cm.ScalarMappable(matplotlib.colors.Normalize(0, 1), "Blues")
    fig.colorbar(scale, ax=list(axes.flat[:heads]))
    return fig
