"""grid: ends the colour bar at the largest weight if all are small.

Question: grid
Mistakes: slip
Deserves: 80 %
Fails: grid_bar
Tell: The colour bar ends at the largest weight: it should run from 0 to 1, as the colours of all panels do.
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
    shades = matplotlib.cm.ScalarMappable(
        matplotlib.colors.Normalize(0, 1 if weights.max() > 0.5 else float(weights.max())), "Blues"
    )
    figure.colorbar(shades, ax=axes.ravel().tolist()[:heads], label="weight")
    return figure
