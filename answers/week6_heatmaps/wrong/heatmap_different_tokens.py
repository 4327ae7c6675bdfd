"""heatmap: counts the different tokens.

Question: heatmap
Mistakes: slip
Deserves: 85 %
Fails: heatmap_hidden_numbers
Tell: Whether cells show numbers should depend on how many tokens there are, not on how many different ones.
"""


def attention_heatmap(weights, tokens, ax=None):
    if ax is None:
        figure = plt.figure()
        ax = figure.add_subplot()
    table = weights.detach().cpu().double().numpy()
    n = len(tokens)
    ax.imshow(table, cmap="Blues", vmin=0, vmax=1)
    labels = [f"{i} {token}" for i, token in enumerate(tokens)]
    ax.set_xticks(range(n), labels, rotation=90)
    ax.set_yticks(range(n), labels)
    ax.set_xlabel("key")
    ax.set_ylabel("query")
    if len(set(tokens)) <= 12:
        for i in range(n):
            for j in range(n):
                colour = "white" if table[i, j] > 0.5 else "black"
                ax.text(j, i, f"{table[i, j]:.2f}", ha="center", va="center", color=colour)
    return ax
