"""heatmap: holds the right numbers, labels and limits, and paints nothing.

Question: heatmap
Mistakes: slip
Deserves: 30 %
Exception: A picture in which nothing can be seen has no weights that could be judged.
Fails: heatmap_values, heatmap_scale, heatmap_hidden_scale, heatmap_hidden_numbers
Tell: No cell is to be seen: alpha=0 makes every cell transparent, whatever its weight is.
"""


def attention_heatmap(weights, tokens, ax=None):
    if ax is None:
        _, ax = plt.subplots()
    values = weights.detach().cpu().numpy()
    ax.imshow(values, cmap="Blues", vmin=0, vmax=1, alpha=0)
    names = [f"{i} {token}" for i, token in enumerate(tokens)]
    ax.set_xticks(range(len(names)), names)
    ax.set_yticks(range(len(names)), names)
    ax.set(xlabel="key", ylabel="query")
    for (i, j), weight in np.ndenumerate(values):
        if len(names) <= 12:
            ax.text(j, i, f"{weight:.2f}", ha="center", va="center", color="w" if weight > 0.6 else "k")
    return ax
