"""grid: holds the right numbers, labels and limits, and paints nothing.

Question: grid
Mistakes: slip
Deserves: 60 %
Fails: grid_scale
Tell: No panel shows a colour: alpha=0 makes the cells of every head transparent.
"""


def head_grid(weights, tokens):
    heads, names = len(weights), [f"{i} {token}" for i, token in enumerate(tokens)]
    figure, axes = plt.subplots(1, heads, figsize=(4 * heads, 4), squeeze=False)
    for head, ax in enumerate(axes[0]):
        ax.imshow(weights[head].detach().numpy(), cmap="Blues", vmin=0, vmax=1, alpha=0)
        ax.set_xticks(range(len(names)), names)
        ax.set_yticks(range(len(names)), names)
        ax.set_title(f"head {head}")
    figure.colorbar(matplotlib.cm.ScalarMappable(matplotlib.colors.Normalize(0, 1), "Blues"), ax=axes)
    return figure
