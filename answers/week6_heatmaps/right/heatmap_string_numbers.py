"""heatmap: seaborn with the numbers made as strings first, and the labels set afterwards.

Question: heatmap
"""


def attention_heatmap(weights, tokens, ax=None):
    ax = plt.subplots(1, 1)[1] if ax is None else ax
    w = np.asarray(weights.detach().to("cpu").tolist())
    texts = np.array([[f"{x:.2f}" for x in row] for row in w])
    small = len(tokens) < 13
    sns.heatmap(
        w,
        ax=ax,
        vmin=0,
        vmax=1,
        cmap="Greys",
        cbar=False,
        annot=texts if small else None,
        fmt="",
        square=True,
    )
    where = [i + 0.5 for i in range(len(tokens))]
    names = [f"{i} {t}" for i, t in enumerate(tokens)]
    ax.set_xticks(where)
    ax.set_xticklabels(names, rotation=90)
    ax.set_yticks(where)
    ax.set_yticklabels(names, rotation=0)
    ax.set(xlabel="key", ylabel="query")
    return ax
