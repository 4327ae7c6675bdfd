"""heatmap: draws well and returns None.

Question: heatmap
Mistakes: slip
Deserves: 85 %
Fails: heatmap_axes
Tell: The Axes is not returned: end the function with return ax, so that the caller can set a title.
"""


def attention_heatmap(weights, tokens, ax=None):
    if ax is None:
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
