"""grid: shows at most six heads.

Question: grid
Mistakes: slip
Deserves: 80 %
Fails: grid_hidden_heads
Tell: With many heads, some are missing: compute the numbers of rows and columns from the number of heads.
"""


def head_grid(weights, tokens):
    values = weights.detach().cpu().numpy()[:6]
    fig = plt.figure(figsize=(9, 6), layout="constrained")
    labels = [f"{i} {token}" for i, token in enumerate(tokens)]
    panels = []
    for i, head in enumerate(values):
        ax = fig.add_subplot(2, 3, i + 1)
        image = ax.imshow(head, cmap="Blues", vmin=0, vmax=1)
        ax.set_title(f"head {i}")
        ax.set_xticks(range(len(labels)), labels, rotation=90)
        ax.set_yticks(range(len(labels)), labels)
        panels.append(ax)
    fig.colorbar(image, ax=panels)
    return fig
