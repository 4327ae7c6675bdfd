"""heatmap: lets seaborn stretch the colours to the data.

Question: heatmap
Mistakes: concept
Deserves: 60 %
Fails: heatmap_scale, heatmap_hidden_scale
Tell: The colours are stretched to the smallest and largest weight: give vmin=0 and vmax=1.
"""


def attention_heatmap(weights, tokens, ax=None):
    if ax is None:
        _, ax = plt.subplots()
    labels = [f"{i} {token}" for i, token in enumerate(tokens)]
    sns.heatmap(
        weights.detach().cpu().numpy(),
        ax=ax,
        cmap="Blues",
        cbar=False,
        annot=len(tokens) <= 12,
        fmt=".2f",
        xticklabels=labels,
        yticklabels=labels,
    )
    ax.set(xlabel="key", ylabel="query")
    return ax
