"""heatmap: imshow, and a loop that writes the numbers.

Question: heatmap
"""


def attention_heatmap(weights, tokens, ax=None):
    if ax is None:
        ax = plt.figure(figsize=(5, 5)).add_subplot()
    values = weights.detach().cpu().tolist()
    n = len(tokens)
    ax.imshow(values, cmap="Blues", vmin=0.0, vmax=1.0)
    labels = [str(i) + " " + token for i, token in enumerate(tokens)]
    ax.set_xticks(range(n), labels, rotation=90)
    ax.set_yticks(range(n), labels)
    ax.set_xlabel("key")
    ax.set_ylabel("query")
    if n <= 12:
        for i in range(n):
            for j in range(n):
                colour = "white" if values[i][j] > 0.5 else "black"
                ax.text(
                    j,
                    i,
                    str(round(values[i][j], 2)).ljust(4, "0"),
                    ha="center",
                    va="center",
                    color=colour,
                    size=8,
                )
    return ax
