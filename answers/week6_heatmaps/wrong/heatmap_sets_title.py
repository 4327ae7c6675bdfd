"""heatmap: sets a title.

Question: heatmap
Mistakes: slip
Deserves: 90 %
Fails: heatmap_axes
Tell: The picture sets a title: the docstring asks for none, so that the caller can set one.
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
    ax.set(xlabel="key", ylabel="query", title="Attention weights")
    return ax
