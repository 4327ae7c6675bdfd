"""grid: leaves the places without a head as empty axes.

Question: grid
Mistakes: slip
Deserves: 85 %
Fails: grid_hidden_heads
Tell: Empty axes are shown behind the last head: remove or hide them.
"""


def head_grid(weights, tokens):
    heads = len(weights)
    columns = min(heads, 3)
    rows = math.ceil(heads / columns)
    fig, axes = plt.subplots(rows, columns, figsize=(4 * columns, 4 * rows), squeeze=False)
    for head, ax in enumerate(axes.flat):
        if head >= heads:
            continue
        attention_heatmap(weights[head], tokens, ax)
        ax.set_title(f"head {head}")
    scale = matplotlib.cm.ScalarMappable(matplotlib.colors.Normalize(0, 1), "Blues")
    fig.colorbar(scale, ax=list(axes.flat[:heads]))
    return fig
