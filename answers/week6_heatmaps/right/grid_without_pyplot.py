"""grid: makes the figure without pyplot, and its own colour bar axes.

Question: grid
"""

from matplotlib.figure import Figure


def head_grid(weights, tokens):
    figure = Figure(figsize=(3.2 * len(weights) + 0.6, 3.6), layout="constrained")
    panels = figure.subplots(1, len(weights) + 1, squeeze=False, width_ratios=[12] * len(weights) + [1])[0]
    for head, (ax, head_weights) in enumerate(zip(panels, weights, strict=False)):
        assert attention_heatmap(head_weights, tokens, ax=ax) is ax
        ax.set_title(f"head {head}")
    figure.colorbar(panels[0].collections[0], cax=panels[-1])
    return figure
