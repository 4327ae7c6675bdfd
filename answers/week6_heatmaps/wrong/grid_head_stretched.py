"""grid: divides each head by its largest weight.

Question: grid
Mistakes: slip
Deserves: 80 %
Fails: grid_scale
Tell: The weights of a head are stretched before they are drawn: each panel should show the weights as they are.
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
        ax = attention_heatmap(
            weights[i] if weights[i].max() > 0.3 else weights[i] / weights[i].max(), tokens, axes.flat[i]
        )
        ax.set_title(f"head {i}")
    shades = matplotlib.cm.ScalarMappable(matplotlib.colors.Normalize(0, 1), "Blues")
    figure.colorbar(shades, ax=axes.ravel().tolist()[:heads], label="weight")
    return figure
