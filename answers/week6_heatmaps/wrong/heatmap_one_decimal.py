"""heatmap: writes the weights with one decimal.

Question: heatmap
Mistakes: slip
Deserves: 90 %
Fails: heatmap_hidden_numbers
Tell: The cells show one decimal; the docstring asks for two ("0.25").
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
        fmt=".1f",
        xticklabels=labels,
        yticklabels=labels,
    )
    ax.set(xlabel="key", ylabel="query")
    return ax
