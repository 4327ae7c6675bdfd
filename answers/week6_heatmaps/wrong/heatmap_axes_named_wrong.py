"""heatmap: names the axes the wrong way round.

Question: heatmap
Mistakes: slip
Deserves: 90 %
Fails: heatmap_labels
Tell: The axis labels are swapped: rows (y) should be queries, columns (x) keys.
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
    ax.set(xlabel="query", ylabel="key")
    return ax
