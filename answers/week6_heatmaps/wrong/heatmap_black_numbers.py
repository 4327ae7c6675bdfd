"""heatmap: writes all numbers in black, also on the darkest cells.

Question: heatmap
Mistakes: slip
Deserves: 90 %
Fails: heatmap_hidden_numbers
Tell: The numbers cannot be read on dark cells: write them in white there.
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
        annot=len(tokens) <= 12,
        fmt=".2f",
        annot_kws={"color": "black"},
        xticklabels=labels,
        yticklabels=labels,
    )
    ax.set(xlabel="key", ylabel="query")
    return ax
