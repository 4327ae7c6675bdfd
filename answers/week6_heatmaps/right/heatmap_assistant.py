"""heatmap: in the style of a chat assistant: type hints, helpers, matshow.

Question: heatmap
"""


def _format_labels(tokens: list[str]) -> list[str]:
    """Combine the position index with the token text."""
    return [f"{index} {token}" for index, token in enumerate(tokens)]


def _annotate(ax: plt.Axes, matrix: np.ndarray, threshold: float = 0.5) -> None:
    """Write each weight into its cell with a readable text colour."""
    for row in range(matrix.shape[0]):
        for column in range(matrix.shape[1]):
            value = matrix[row, column]
            ax.text(
                column,
                row,
                f"{value:.2f}",
                ha="center",
                va="center",
                color="white" if value > threshold else "black",
            )


def attention_heatmap(weights: torch.Tensor, tokens: list[str], ax: plt.Axes | None = None) -> plt.Axes:
    """Plot attention weights as a heatmap (queries as rows, keys as columns)."""
    if ax is None:
        _, ax = plt.subplots(figsize=(6, 6))

    matrix = weights.detach().cpu().numpy()
    labels = _format_labels(tokens)

    ax.matshow(matrix, cmap="Blues", vmin=0.0, vmax=1.0)
    ax.set_xticks(np.arange(len(labels)))
    ax.set_yticks(np.arange(len(labels)))
    ax.set_xticklabels(labels, rotation=45)
    ax.set_yticklabels(labels)
    ax.set_xlabel("key")
    ax.set_ylabel("query")

    if len(tokens) <= 12:
        _annotate(ax, matrix)

    return ax
