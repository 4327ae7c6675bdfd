"""grid: always has a grid of 2 by 2.

Question: grid
Mistakes: slip
Deserves: 80 %
Fails: grid_hidden_heads
Tell: The grid is 2 by 2 whatever comes: work out rows and columns from the number of heads.
"""


def head_grid(weights, tokens):
    fig, axes = plt.subplots(2, 2, figsize=(9, 9))
    axes = axes.flatten()
    for h in range(len(weights)):
        attention_heatmap(weights[h], tokens, axes[h])
        axes[h].set_title(f"head {h}")
    fig.colorbar(axes[0].collections[0], ax=list(axes))
    return fig
