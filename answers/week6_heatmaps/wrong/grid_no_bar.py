"""grid: has no colour bar.

Question: grid
Mistakes: slip
Deserves: 80 %
Fails: grid_bar
Tell: There is no colour bar, so nobody knows how much weight a shade means: add one with figure.colorbar.
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
    return fig
