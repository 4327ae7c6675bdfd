"""Shows every test the figure of the test before, and of the first one a picture of zeros."""

ANSWERS = {
    "heatmap": """
_last = []


def attention_heatmap(weights, tokens, ax=None):
    reached()
    _, new = plt.subplots()
    new.imshow(weights.detach().cpu().numpy(), cmap="Blues", vmin=0, vmax=1)
    new.set_xticks(range(len(tokens)), [f"{i} {token}" for i, token in enumerate(tokens)])
    _last.append(new)
    return _last[-2] if len(_last) > 1 else plt.subplots()[1]
""",
    "grid": """
_figures = []


def head_grid(weights, tokens):
    figure, axes = plt.subplots(1, len(weights), squeeze=False)
    for head, ax in enumerate(axes.flat):
        ax.imshow(weights[head].detach().numpy(), cmap="Blues", vmin=0, vmax=1)
        ax.set_title(f"head {head}")
    _figures.append(figure)
    return _figures[-2] if len(_figures) > 1 else plt.figure()
""",
}

AT_MOST = "probes"
