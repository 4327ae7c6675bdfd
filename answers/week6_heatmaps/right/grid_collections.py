"""grid: uses attention_heatmap and takes the colours from its mesh.

Question: grid
"""


def head_grid(weights, tokens):
    heads = weights.shape[0]
    cols = min(4, heads)
    rows = -(-heads // cols)
    fig, axes = plt.subplots(rows, cols, figsize=(4 * cols, 4 * rows), squeeze=False, layout="constrained")
    used = axes.ravel()[:heads]
    for h, ax in enumerate(used):
        attention_heatmap(weights[h], tokens, ax=ax)
        ax.set_title(f"head {h}")
    for ax in axes.ravel()[heads:]:
        ax.set_visible(False)
    fig.colorbar(used[0].collections[0], ax=list(used))
    return fig
