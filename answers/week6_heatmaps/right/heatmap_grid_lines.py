"""heatmap: imshow with seaborn's theme, whose white lines run through the middle of the cells.

Question: heatmap
"""


def attention_heatmap(weights, tokens, ax=None):
    sns.set_theme()
    if ax is None:
        fig = plt.figure(figsize=(7, 7))
        ax = fig.gca()
    m = weights.detach().cpu().numpy()
    ax.imshow(m, vmin=0, vmax=1, cmap="Blues")
    lab = [f"{k} {t}" for k, t in enumerate(tokens)]
    ax.set_xticks(np.arange(len(lab)), labels=lab, rotation=90)
    ax.set_yticks(np.arange(len(lab)), labels=lab)
    ax.set_xlabel("key")
    ax.set_ylabel("query")
    if len(tokens) <= 12:
        for r in range(m.shape[0]):
            for c in range(m.shape[1]):
                ax.text(
                    c,
                    r,
                    "%.2f" % m[r, c],
                    ha="center",
                    va="center",
                    color="white" if m[r, c] > 0.5 else "black",
                )
    return ax
