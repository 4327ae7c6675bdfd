"""heatmap: labels every second position if there are many.

Question: heatmap
Mistakes: slip
Deserves: 85 %
Fails: heatmap_labels
Tell: With many tokens, only some have a label: each row and each column should have one.
"""


def attention_heatmap(weights, tokens, ax=None):
    if ax is None:
        _, ax = plt.subplots()
    values = weights.detach().cpu().numpy()
    step = 1 if len(tokens) <= 20 else 2
    places = list(range(0, len(tokens), step))
    names = [f"{i} {tokens[i]}" for i in places]
    ax.imshow(values, cmap="Blues", vmin=0, vmax=1)
    ax.set_xticks(places, names, rotation=90)
    ax.set_yticks(places, names)
    ax.set(xlabel="key", ylabel="query")
    if len(tokens) <= 12:
        for i in range(len(tokens)):
            for j in range(len(tokens)):
                ax.text(
                    j,
                    i,
                    f"{values[i, j]:.2f}",
                    ha="center",
                    va="center",
                    color="w" if values[i, j] > 0.5 else "k",
                )
    return ax
