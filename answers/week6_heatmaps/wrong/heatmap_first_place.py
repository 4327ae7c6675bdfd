"""heatmap: numbers each word by the place where it occurs first.

Question: heatmap
Mistakes: slip
Deserves: 85 %
Fails: heatmap_labels
Tell: A word that occurs twice gets the index of its first place twice: tokens.index() finds only that one,
    so use enumerate.
"""


def attention_heatmap(weights, tokens, ax=None):
    if ax is None:
        _, ax = plt.subplots()
    labels = [f"{tokens.index(token)} {token}" for token in tokens]
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
