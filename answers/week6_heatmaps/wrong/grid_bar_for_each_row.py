"""grid: draws a colour bar for each row of panels.

Question: grid
Mistakes: slip
Deserves: 80 %
Fails: grid_bar
Tell: There are several colour bars when the panels are in several rows: one is enough, figure.colorbar(...,
    ax=all panels).
"""


def head_grid(weights, tokens):
    heads = len(weights)
    columns = min(heads, 3)
    rows = math.ceil(heads / columns)
    figure, axes = plt.subplots(
        rows, columns, squeeze=False, layout="constrained", figsize=(4 * columns, 4 * rows)
    )
    for ax in axes.flat[heads:]:
        ax.remove()
    for i in range(heads):
        ax = attention_heatmap(weights[i], tokens, axes.flat[i])
        ax.set_title(f"head {i}")
    shades = matplotlib.cm.ScalarMappable(matplotlib.colors.Normalize(0, 1), "Blues")
    for row in range(rows):
        figure.colorbar(shades, ax=axes.ravel().tolist()[row * columns : min(heads, (row + 1) * columns)])
    return figure
