"""heatmap: seaborn's heatmap with its own numbers.

Question: heatmap
"""


def attention_heatmap(weights, tokens, ax=None):
    if ax is None:
        fig, ax = plt.subplots()
    w = weights.detach().cpu().numpy()
    names = [f"{i} {t}" for i, t in enumerate(tokens)]
    sns.heatmap(
        w,
        vmin=0,
        vmax=1,
        cmap="Blues",
        cbar=False,
        ax=ax,
        annot=len(tokens) <= 12,
        fmt=".2f",
        xticklabels=names,
        yticklabels=names,
    )
    ax.set_xlabel("key")
    ax.set_ylabel("query")
    return ax
