"""heatmap: makes a figure of its own even where an Axes is given.

Question: heatmap
Mistakes: slip
Deserves: 75 %
Fails: heatmap_axes
Tell: The given Axes stays empty, since a new figure is made in every call: make one only if ax is None.
"""


def attention_heatmap(weights, tokens, ax=None):
    _, ax = plt.subplots()
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
