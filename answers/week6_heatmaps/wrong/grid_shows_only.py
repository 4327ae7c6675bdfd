"""grid: shows the figure and returns nothing.

Question: grid
Mistakes: slip
Deserves: 20 %
Exception: plt.show() closes the figure in a notebook, so nothing is left that a test could look at.
Fails: grid_panels, grid_scale, grid_bar, grid_hidden_heads, grid_hidden_labels, grid_hidden_figure
Tell: plt.show() is not a result: return the figure and let the caller show it.
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
        ax.set_title(f"head {head}")
    scale = matplotlib.cm.ScalarMappable(matplotlib.colors.Normalize(0, 1), "Blues")
    fig.colorbar(scale, ax=list(axes.flat[:heads]))
    plt.show()
