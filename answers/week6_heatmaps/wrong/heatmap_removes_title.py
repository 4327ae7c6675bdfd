"""heatmap: removes the title of the given Axes.

Question: heatmap
Mistakes: slip
Deserves: 85 %
Fails: heatmap_axes
Tell: The title of the given Axes is removed, by ax.clear() or an empty title: leave it alone.
"""


def attention_heatmap(weights, tokens, ax=None):
    if ax is None:
        _, ax = plt.subplots()
    values = weights.detach().cpu().numpy()
    ax.clear()
    ax.imshow(values, cmap="Blues", vmin=0, vmax=1)
    names = [f"{i} {token}" for i, token in enumerate(tokens)]
    ax.set_xticks(range(len(names)), names, rotation=90)
    ax.set_yticks(range(len(names)), names)
    ax.set(xlabel="key", ylabel="query", title="")
    if len(tokens) <= 12:
        for i in range(len(tokens)):
            for j in range(len(tokens)):
                colour = "white" if values[i, j] > 0.5 else "black"
                ax.text(j, i, f"{values[i, j]:.2f}", ha="center", va="center", color=colour)
    return ax
