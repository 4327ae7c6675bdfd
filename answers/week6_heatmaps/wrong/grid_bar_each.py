"""grid: gives each panel a colour bar of its own.

Question: grid
Mistakes: slip
Deserves: 80 %
Fails: grid_bar
Tell: Each panel has its own colour bar: one bar for the figure is enough when all share a scale.
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
        sns.heatmap(
            weights[head].detach().cpu().numpy(),
            ax=ax,
            cmap="Blues",
            vmin=0,
            vmax=1,
            xticklabels=[f"{i} {t}" for i, t in enumerate(tokens)],
            yticklabels=[f"{i} {t}" for i, t in enumerate(tokens)],
        )
        ax.set_title(f"head {head}")
    return fig
