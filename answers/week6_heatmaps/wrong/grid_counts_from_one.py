"""grid: numbers the heads from 1.

Question: grid
Mistakes: slip
Deserves: 85 %
Fails: grid_panels
Tell: The titles count from 1: the first head is head 0, as in weights[0].
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
        attention_heatmap(weights[head], tokens, ax)
        ax.set_title(f"head {head + 1}")
    scale = matplotlib.cm.ScalarMappable(matplotlib.colors.Normalize(0, 1), "Blues")
    fig.colorbar(scale, ax=list(axes.flat[:heads]))
    return fig
