"""heatmap: uses viridis, in which 0 is dark and 1 is light.

Question: heatmap
Mistakes: slip
Deserves: 85 %
Fails: heatmap_hidden_scale
Tell: In this colour map 0 is dark and 1 is light: use one that runs from light to dark, such as Blues.
"""


def attention_heatmap(weights, tokens, ax=None):
    if ax is None:
        _, ax = plt.subplots()
    labels = [f"{i} {token}" for i, token in enumerate(tokens)]
    sns.heatmap(
        weights.detach().cpu().numpy(),
        ax=ax,
        cmap="viridis",
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
