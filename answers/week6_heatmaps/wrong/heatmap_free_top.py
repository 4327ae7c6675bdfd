"""heatmap: fixes the lower end of the scale only.

Question: heatmap
Mistakes: concept
Deserves: 60 %
Fails: heatmap_scale, heatmap_hidden_scale
Tell: The dark end of the scale is the largest weight of this picture: fix vmax=1, so that pictures can be
    compared.
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
        vmax=weights.max().item(),
        cbar=False,
        annot=len(tokens) <= 12,
        fmt=".2f",
        xticklabels=labels,
        yticklabels=labels,
    )
    ax.set(xlabel="key", ylabel="query")
    return ax
