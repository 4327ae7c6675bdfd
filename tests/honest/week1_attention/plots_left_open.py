"""Plots: many figures left open, plt.show, seaborn, interactive mode, a figure drawn inside an answer."""


def habit(submission):
    submission.add(
        "plt.ion()\n"
        "for i in range(25):\n    plt.figure(figsize=(1, 1)); plt.plot([i, 1])\n"
        "import seaborn as sns; sns.heatmap(np.eye(3)); plt.show(); plt.ioff()"
    )
    draw = "    fig, ax = plt.subplots(); ax.imshow(np.eye(length)); plt.show()\n"
    submission.replace("causal_mask", "    return", f"{draw}    return")
