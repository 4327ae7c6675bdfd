"""heatmap: makes the given axes the current ones and draws with pyplot's own functions.

Question: heatmap
"""


def attention_heatmap(weights, tokens, ax=None):
    if ax is None:
        plt.figure()
    else:
        plt.sca(ax)
    picture = weights.detach().cpu()
    plt.imshow(picture, cmap="Blues", vmin=0, vmax=1)
    words = [f"{i} {token}" for i, token in enumerate(tokens)]
    plt.xticks(range(len(words)), words, rotation=45)
    plt.yticks(range(len(words)), words)
    plt.xlabel("key")
    plt.ylabel("query")
    if len(words) <= 12:
        for i, row in enumerate(picture.tolist()):
            for j, weight in enumerate(row):
                plt.text(j, i, f"{weight:.2f}", ha="center", va="center", color="wk"[weight < 0.6])
    return plt.gca()
