"""grid: uses attention_heatmap and takes the colours from its image.

Question: grid
"""


def head_grid(weights, tokens):
    n_heads = len(weights)
    side = int(np.ceil(np.sqrt(n_heads)))
    fig = plt.figure(figsize=(4 * side, 4 * side))
    axes = []
    for h in range(n_heads):
        ax = fig.add_subplot(side, side, h + 1)
        attention_heatmap(weights[h], tokens, ax)
        ax.set_title("head " + str(h))
        axes.append(ax)
    fig.colorbar(axes[-1].images[0], ax=axes, label="weight")
    return fig
