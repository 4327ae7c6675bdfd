"""grid: clears the figure that is open, and draws the heads there.

Question: grid
Mistakes: slip
Deserves: 75 %
Fails: grid_hidden_figure
Tell: A figure of another cell that is still open is cleared, and plt.gcf() can be such a figure: make a new
    one.
"""


def head_grid(weights, tokens):
    heads = len(weights)
    columns = min(heads, 3)
    rows = math.ceil(heads / columns)
    fig = plt.gcf()
    fig.clear()
    axes = fig.subplots(rows, columns, squeeze=False)
    for head, ax in enumerate(axes.flat):
        if head >= heads:
            ax.remove()
            continue
        attention_heatmap(weights[head], tokens, ax)
        ax.set_title(f"head {head}")
    scale = matplotlib.cm.ScalarMappable(matplotlib.colors.Normalize(0, 1), "Blues")
    fig.colorbar(scale, ax=list(axes.flat[:heads]))
    return fig
