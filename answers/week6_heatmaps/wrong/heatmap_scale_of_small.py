"""heatmap: ends the scale at the largest weight if all are small.

Question: heatmap
Mistakes: slip
Deserves: 75 %
Fails: heatmap_scale
Tell: The colours run to the largest weight if all are small: the scale should run from 0 to 1 in every picture.
"""


def attention_heatmap(weights, tokens, ax=None):
    if ax is None:
        figure = plt.figure()
        ax = figure.add_subplot()
    table = weights.detach().cpu().double().numpy()
    n = len(tokens)
    ax.imshow(table, cmap="Blues", vmin=0, vmax=1 if table.max() >= 0.1 else table.max())
    labels = [f"{i} {token}" for i, token in enumerate(tokens)]
    ax.set_xticks(range(n), labels, rotation=90)
    ax.set_yticks(range(n), labels)
    ax.set_xlabel("key")
    ax.set_ylabel("query")
    if n <= 12:
        for i in range(n):
            for j in range(n):
                colour = "white" if table[i, j] > 0.5 else "black"
                ax.text(j, i, f"{table[i, j]:.2f}", ha="center", va="center", color=colour)
    return ax
