"""heatmap: draws keys as rows and queries as columns.

Question: heatmap
Mistakes: slip
Deserves: 75 %
Fails: heatmap_values
Tell: The matrix is transposed: rows should be queries and columns keys, so draw weights as it is.
"""


def attention_heatmap(weights, tokens, ax=None):
    if ax is None:
        _, ax = plt.subplots()
    labels = [f"{i} {token}" for i, token in enumerate(tokens)]
    sns.heatmap(
        weights.detach().cpu().numpy().T,
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
