"""grid: draws each head itself, all in one row.

Question: grid
"""


def head_grid(weights, tokens):
    w = weights.detach().cpu().numpy()
    names = [f"{i} {t}" for i, t in enumerate(tokens)]
    fig, axes = plt.subplots(1, len(w), figsize=(3 * len(w) + 1, 3), squeeze=False)
    for h in range(len(w)):
        ax = axes[0, h]
        picture = ax.imshow(w[h], vmin=0, vmax=1, cmap="Blues")
        ax.set_xticks(range(len(names)), names, rotation=90)
        ax.set_yticks(range(len(names)), names)
        ax.set(title=f"head {h}", xlabel="key", ylabel="query")
    fig.colorbar(picture, ax=axes)
    return fig
