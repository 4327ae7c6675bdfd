"""heatmap: draws on the current axes where none are given.

Question: heatmap
Mistakes: slip
Deserves: 85 %
Fails: heatmap_axes
Tell: Without ax the picture lands on whatever axes are current: make a new figure with plt.subplots().
"""


def attention_heatmap(weights, tokens, ax=None):
    if ax is None:
        ax = plt.gca()
    labels = [f"{i} {token}" for i, token in enumerate(tokens)]
    sns.heatmap(
        weights.detach().cpu().numpy(),
        ax=ax,
        cmap="Blues",
        vmin=0,
        vmax=1,
        cbar=False,
        annot=len(tokens) <= 12,
        fmt=".2f",
        xticklabels=labels,
        yticklabels=labels,
    )
    ax.set(xlabel="key", ylabel="query")
    return ax
