"""grid: in the style of a chat assistant, with a scalar mappable for the colour bar.

Question: grid
"""


def head_grid(weights: torch.Tensor, tokens: list[str]) -> plt.Figure:
    """Plot every attention head in a grid with one shared colour bar."""
    num_heads = weights.shape[0]
    num_cols = 1 if num_heads == 1 else 2
    num_rows = math.ceil(num_heads / num_cols)

    figure, axes = plt.subplots(num_rows, num_cols, figsize=(5 * num_cols, 5 * num_rows))
    flat_axes = np.atleast_1d(axes).flatten()

    for head_index, axis in enumerate(flat_axes):
        if head_index < num_heads:
            attention_heatmap(weights[head_index], tokens, ax=axis)
            axis.set_title(f"head {head_index}")
        else:
            axis.axis("off")

    norm = plt.Normalize(vmin=0.0, vmax=1.0)
    mappable = plt.cm.ScalarMappable(norm=norm, cmap="Blues")
    mappable.set_array([])
    figure.colorbar(mappable, ax=flat_axes.tolist(), fraction=0.02)

    return figure
