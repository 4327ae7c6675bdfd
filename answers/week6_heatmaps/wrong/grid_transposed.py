"""grid: draws keys as rows and queries as columns.

Question: grid
Mistakes: slip
Deserves: 75 %
Fails: grid_panels
Tell: Each panel is transposed: rows should be queries and columns keys, so draw weights[head] as it is.
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
        attention_heatmap(weights[head].T, tokens, ax)
        ax.set_title(f"head {head}")
    scale = matplotlib.cm.ScalarMappable(matplotlib.colors.Normalize(0, 1), "Blues")
    fig.colorbar(scale, ax=list(axes.flat[:heads]))
    return fig
