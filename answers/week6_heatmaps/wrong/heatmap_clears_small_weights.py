"""heatmap: sets small weights to 0, in the caller's tensor.

Question: heatmap
Mistakes: slip
Deserves: 80 %
Fails: heatmap_hidden_inputs
Tell: The array of numpy() shares its memory with the caller's tensor, which is changed with it: work on a
    copy.
"""


def attention_heatmap(weights, tokens, ax=None):
    if ax is None:
        _, ax = plt.subplots()
    labels = [f"{i} {token}" for i, token in enumerate(tokens)]
    values = weights.detach().cpu().numpy()
    values[values < 0.005] = 0
    sns.heatmap(
        values,
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
