"""heatmap: calls numpy() on a tensor that may require a gradient.

Question: heatmap
Mistakes: slip
Deserves: 85 %
Fails: heatmap_hidden_inputs
Tell: A tensor that requires a gradient has no numpy(): call detach() first.
"""


def attention_heatmap(weights, tokens, ax=None):
    if ax is None:
        _, ax = plt.subplots()
    labels = [f"{i} {token}" for i, token in enumerate(tokens)]
    sns.heatmap(
        weights.numpy(),
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
