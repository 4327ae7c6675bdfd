"""grid: draws the mean of the heads in each panel.

Question: grid
Mistakes: concept
Deserves: 50 %
Fails: grid_panels, grid_hidden_heads
Tell: All panels show the same picture, the mean of the heads: draw weights[head] in panel head.
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
        attention_heatmap(weights.mean(0), tokens, ax)
        ax.set_title(f"head {head}")
    scale = matplotlib.cm.ScalarMappable(matplotlib.colors.Normalize(0, 1), "Blues")
    fig.colorbar(scale, ax=list(axes.flat[:heads]))
    return fig
