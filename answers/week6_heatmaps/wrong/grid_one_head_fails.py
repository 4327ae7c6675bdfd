"""grid: indexes the axes of plt.subplots as a list, which fails for one head.

Question: grid
Mistakes: slip
Deserves: 85 %
Fails: grid_hidden_heads
Tell: With one head plt.subplots returns a single axes that has no index: pass squeeze=False.
"""


def head_grid(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), figsize=(4 * len(weights), 4))
    for h in range(len(weights)):
        attention_heatmap(weights[h], tokens, axes[h])
        axes[h].set_title(f"head {h}")
    scale = matplotlib.cm.ScalarMappable(matplotlib.colors.Normalize(0, 1), "Blues")
    fig.colorbar(scale, ax=axes)
    return fig
