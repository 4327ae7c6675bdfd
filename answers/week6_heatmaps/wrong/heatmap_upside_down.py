"""heatmap: pcolormesh puts row 0 at the bottom.

Question: heatmap
Mistakes: slip
Deserves: 80 %
Fails: heatmap_values
Tell: Query 0 is at the bottom, but row 0 belongs at the top: after pcolormesh, for example, call
    ax.invert_yaxis().
"""


def attention_heatmap(weights, tokens, ax=None):
    if ax is None:
        _, ax = plt.subplots()
    w = weights.detach().cpu().numpy()
    n = len(tokens)
    ax.pcolormesh(w, cmap="Blues", vmin=0, vmax=1)
    names = [f"{i} {t}" for i, t in enumerate(tokens)]
    ax.set_xticks(np.arange(n) + 0.5, names)
    ax.set_yticks(np.arange(n) + 0.5, names)
    ax.set(xlabel="key", ylabel="query")
    if n <= 12:
        for i in range(n):
            for j in range(n):
                ax.text(
                    j + 0.5,
                    i + 0.5,
                    f"{w[i, j]:.2f}",
                    ha="center",
                    va="center",
                    color="w" if w[i, j] > 0.5 else "k",
                )
    return ax
