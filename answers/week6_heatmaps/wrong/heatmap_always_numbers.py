"""heatmap: writes numbers however many tokens there are.

Question: heatmap
Mistakes: slip
Deserves: 90 %
Fails: heatmap_hidden_numbers
Tell: More than 12 tokens get numbers that nobody can read: annotate only if len(tokens) <= 12.
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
        vmax=1,
        cbar=False,
        annot=True,
        fmt=".2f",
        xticklabels=labels,
        yticklabels=labels,
    )
    ax.set(xlabel="key", ylabel="query")
    return ax
